import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { API_KEY, startService, type MockResponse, type ReceivedRequest, type TestService } from './testing/service.js';
import { tautanAt, type Run, type Tautan } from './testing/tautan.js';

let service: TestService;
let tautan: Tautan;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => {
  tautan = tautanAt(service.url);
  service.requests.length = 0;
});
afterEach(() => tautan.remove());
afterAll(() => service.stop());

const run = (args: string, env: Record<string, string> = {}): Promise<Run> =>
  tautan.run(args.split(' '), { env: { TAUTAN_API_KEY: API_KEY, ...env } });
const lastRequest = (): ReceivedRequest => service.requests.at(-1)!;
const requests = () => service.requests.map(({ method, path }) => `${method} ${path}`);

const limits = { links: 1_000, qrCodes: 100, webhookEndpoints: 5, clicks: null, analyticsRetentionDays: 365 };
const pro = {
  name: 'PRO',
  price: { amount: 149_000, currency: 'IDR' },
  interval: 'month',
  limits,
  qrLogoEnabled: true,
  rateLimits: { read: 100, write: 20 },
};
const free = {
  ...pro,
  name: 'FREE',
  price: { amount: 0, currency: 'IDR' },
  limits: { ...limits, links: 50, clicks: 10_000 },
};
const subscription = {
  id: 'sub_01jd3x8q4v5w6y7z8a9b0c1d2e',
  plan: 'PRO',
  status: 'active',
  currency: 'IDR',
  currentPeriodStart: '2030-01-31T12:00:00.000Z',
  currentPeriodEnd: '2030-02-28T12:00:00.000Z',
  cancelAtPeriodEnd: false,
  pendingPlan: null,
};
const canceled = { ...subscription, cancelAtPeriodEnd: true, pendingPlan: 'FREE' };
const noSubscription: MockResponse = {
  status: 409,
  error: { code: 'SUBSCRIPTION_STATE', message: 'There is no subscription.' },
};

describe('billing', () => {
  beforeEach(() => {
    service.on('GET /billing/plan', () => ({ data: pro }));
    service.on('GET /billing/subscription', () => ({ data: subscription }));
    service.on('GET /billing/plans', () => ({ data: [free, pro] }));
  });

  test('plan shows limits, price, rate limits and the state of the subscription', async () => {
    const { stdout, code } = await run('billing plan');
    expect(stdout).toBe(
      [
        'PRO plan\n',
        'Price per month    Rp 149,000',
        'Links per month    1,000',
        'QR codes           100',
        'Webhook endpoints  5',
        'Clicks per month   unlimited',
        'Days of analytics  365',
        'QR code logos      yes',
        'Reads per second   100',
        'Writes per second  20',
        'Subscription       active, renews on 28 Feb 2030\n',
      ].join('\n'),
    );
    expect(code).toBe(0);
    expect((await run('billing plan --json')).json()).toEqual(pro);
  });

  test('plans shows all plans side by side without sign-in', async () => {
    const { stdout, code } = await run('billing plans', { TAUTAN_API_KEY: '', COLUMNS: '50' });
    expect(stdout).toMatch(/^ +FREE +PRO$/m);
    expect(stdout).toMatch(/^Price per month +Rp 0 +Rp 149,000$/m);
    expect(stdout).toMatch(/^Clicks per month +10,000 +unlimited$/m);
    expect(code).toBe(0);
    expect(lastRequest().headers.authorization).toBeUndefined();
    expect((await run('billing plans --json')).json()).toEqual([free, pro]);
  });
});

test('billing usage shows every limit, warnings and the reset date', async () => {
  const usage = {
    period: '2030-12',
    plan: 'FREE',
    links: { used: 50, limit: 50 },
    qrCodes: { used: 8, limit: 10 },
    members: { used: 1, limit: null },
  };
  service.on('GET /billing/usage', () => ({ data: usage }));
  const { stdout, code } = await run('billing usage', { COLUMNS: '80' });
  expect(stdout).toBe(
    [
      'FREE plan\n',
      '   LIMIT            USED    ALLOWED',
      '✗  Links per month    50         50  ██████████  100%',
      '!  QR codes            8         10  ████████░░   80%',
      '   Members             1  unlimited\n',
      'Monthly limits reset on 1 Jan 2031 (UTC).',
      '✗ limit reached   ! 80% or more used',
      'Compare the plans with: tautan billing plans\n',
    ].join('\n'),
  );
  expect(code).toBe(0);
  expect((await run('billing usage --json')).json()).toEqual(usage);
});

describe('tautan billing', () => {
  const checkout = {
    checkoutUrl: 'https://pay.example/c/cs_1',
    sessionId: 'cs_1',
    expiresAt: '2030-02-01T12:00:00.000Z',
  };
  const portal = { portalUrl: 'https://pay.example/p/ps_1', expiresAt: '2030-02-01T12:00:00.000Z' };
  beforeEach(() => {
    service.on('POST /billing/checkout', () => ({ status: 201, data: checkout }));
    service.on('POST /billing/portal', () => ({ data: portal }));
  });

  test('checkout prints only the URL on standard output and its expiry on standard error', async () => {
    const { stdout, stderr, code } = await run('billing checkout pro --currency USD');
    expect(lastRequest().body).toEqual({ plan: 'PRO', currency: 'USD' });
    expect(stdout).toBe('https://pay.example/c/cs_1\n');
    expect(stderr).toContain('valid until 1 Feb 2030');
    expect(code).toBe(0);
    expect((await run('billing checkout PRO --json')).json()).toEqual(checkout);
    expect(lastRequest().body).toEqual({ plan: 'PRO' });
  });

  test('checkout leaves validation of the plan name to the service', async () => {
    const error = { code: 'VALIDATION_ERROR', message: 'plan must be one of PRO, BUSINESS.', field: 'plan' };
    service.queueResponses('POST /billing/checkout', { status: 400, error });
    const { stderr, code } = await run('billing checkout gold');
    expect(lastRequest().body).toEqual({ plan: 'GOLD' });
    expect(stderr).toContain('plan must be one of PRO, BUSINESS.\n  plan · VALIDATION_ERROR');
    expect(code).toBe(1);
  });

  test('portal prints the URL', async () => {
    const { stdout, stderr, code } = await run('billing portal');
    expect(lastRequest().body).toEqual({});
    expect(stdout).toBe('https://pay.example/p/ps_1\n');
    expect(stderr).toContain('valid until 1 Feb 2030');
    expect(code).toBe(0);
    expect((await run('billing portal --json')).json()).toEqual(portal);
  });

  test('with --open opens the page in the browser, or prints a note if there is no browser', async () => {
    const browser = join(tautan.home, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$1" >> ${browser}.log\n`);
    chmodSync(browser, 0o755);
    await run('billing portal', { BROWSER: browser });
    expect((await run('billing checkout pro --open', { BROWSER: browser })).stderr).not.toContain('Could not open');
    await eventually(() => expect(readFileSync(`${browser}.log`, 'utf8')).toBe('https://pay.example/c/cs_1\n'));
    const { code, stderr } = await run('billing portal --open', { BROWSER: '/nowhere/browser' });
    expect(stderr).toContain('Could not open a browser.');
    expect(code).toBe(0);
  });
});

describe('a subscription', () => {
  beforeEach(() => {
    service.on('GET /billing/subscription', () => ({ data: subscription }));
    service.on('POST /billing/cancel', () => ({ data: canceled }));
    service.on('POST /billing/resume', () => ({ data: subscription }));
  });

  test('is canceled only after confirmation', async () => {
    expect((await run('billing cancel')).code).toBe(2);
    expect(requests()).not.toContain('POST /billing/cancel');
    const { stdout, code } = await run('billing cancel --yes');
    expect(requests()).toContain('POST /billing/cancel');
    expect(stdout).toContain('PRO subscription: active, ends on 28 Feb 2030');
    expect(stdout).toContain('tautan billing resume');
    expect(code).toBe(0);
    expect((await run('billing cancel -y --json')).json()).toEqual(canceled);
  });

  test('is kept if the user answers no; the question names the plan and the end of the period', async () => {
    const running = tautan.terminal('billing cancel', { TAUTAN_API_KEY: API_KEY });
    const question = 'Cancel the PRO subscription? It stays active until 28 Feb 2030. [y/N] ';
    await eventually(() => expect(running.stdout()).toContain(question), 20_000);
    running.type('n\r');
    expect((await running.ended).code).toBe(1);
    running.type(undefined);
    expect(requests()).toEqual(['GET /billing/subscription']);
  });

  test('is resumed', async () => {
    const { stdout, code } = await run('billing resume');
    expect(stdout).toBe('✓ PRO subscription: active, renews on 28 Feb 2030\n');
    expect(code).toBe(0);
    expect((await run('billing resume --json')).json()).toEqual(subscription);
  });

  test('that does not exist can be neither canceled nor resumed', async () => {
    for (const [route, command] of [
      ['cancel', 'cancel --yes'],
      ['resume', 'resume'],
    ]) {
      service.queueResponses(`POST /billing/${route}`, noSubscription);
      const { code, stderr } = await run(`billing ${command}`);
      expect(stderr).toContain('There is no subscription.\n  SUBSCRIPTION_STATE');
      expect(code).toBe(1);
    }
  });
});

describe('billing history', () => {
  const invoice = {
    id: 'inv_01jd3x8q4v5w6y7z8a9b0c1d2e',
    date: '2030-01-31T12:00:00.000Z',
    description: '1 × Tautan PRO',
    amount: 149_000,
    currency: 'IDR',
    status: 'paid',
    invoiceUrl: 'https://pay.example/i/1',
  };
  /** Returns the requested page of a list of 250 invoices. */
  const pages = ({ query }: ReceivedRequest): MockResponse => {
    const start = Number(query.get('cursor') ?? 0);
    const end = Math.min(250, start + Number(query.get('limit')));
    const data = Array.from({ length: end - start }, (_, at) => ({ ...invoice, amount: start + at }));
    return { data, page: { limit: 200, hasMore: end < 250, ...(end < 250 && { nextCursor: String(end) }) } };
  };

  test('lists invoices', async () => {
    service.on('GET /billing/history', () => ({ data: [invoice], page: { limit: 50, hasMore: false } }));
    expect((await run('billing history')).stdout.split('\n')).toEqual([
      'DATE         DESCRIPTION         AMOUNT  STATUS  INVOICE',
      '31 Jan 2030  1 × Tautan PRO  Rp 149,000  paid    https://pay.example/i/1',
      '',
    ]);
    expect((await run('billing history', { COLUMNS: '50' })).stdout).toMatch(
      /^31 Jan 2030 +1 × Tautan \S+ +Rp 149,000 +paid$/m,
    );
    service.on('GET /billing/history', () => ({ data: [], page: { limit: 50, hasMore: false } }));
    expect((await run('billing history')).stdout).toBe('No invoices yet.\n');
  });

  test('is paginated with --limit and --all', async () => {
    service.on('GET /billing/history', pages);
    const { stdout, stderr } = await run('billing history --limit 3');
    expect(stdout.split('\n')).toHaveLength(5);
    expect(stderr).toContain('Only the first 3 are shown. Use --limit or --all for more.');
    const amounts = (await run('billing history --all --json'))
      .json<{ amount: number }[]>()
      .map(({ amount }) => amount);
    expect(amounts).toEqual(Array.from({ length: 250 }, (_, at) => at));
  });
});

test('PLAN_LIMIT_EXCEEDED prints the message of the service and a hint', async () => {
  const message = 'The FREE plan limits custom domains to 1 (in use: 1). Upgrade the plan to create more.';
  service.on('POST /domains', () => ({
    status: 402,
    error: { code: 'PLAN_LIMIT_EXCEEDED', message, field: 'domains' },
  }));
  const { stderr, code } = await run('domains add go.example.com');
  expect(stderr.split('\n')).toEqual([
    `✗ ${message}`,
    '  domains · PLAN_LIMIT_EXCEEDED · request req_01jd3x8q4v5w6y7z8a9b0c1d2e',
    "  Run 'tautan billing usage' to see your limits, or 'tautan billing checkout <plan>' to upgrade.",
    '',
  ]);
  expect(code).toBe(1);
});
