import { existsSync, readdirSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { Webhook } from 'standardwebhooks';
import { startHandler, type TestHandler } from './testing/handler.js';
import { API_KEY, startService, type TestService } from './testing/service.js';
import { tautanAt, type Running, type Tautan } from './testing/tautan.js';
import { serveWebhooks, type TestWebhooks } from './testing/webhooks.js';

let service: TestService;
let webhooks: TestWebhooks;
let handler: TestHandler;
let tautan: Tautan;
let started: Running[];
beforeEach(async () => {
  service = await startService();
  webhooks = serveWebhooks(service, { local: true });
  handler = await startHandler();
  tautan = tautanAt(service.url);
  started = [];
});
afterEach(async () => {
  for (const one of started) one.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await Promise.all([handler.stop(), service.stop()]);
  tautan.remove();
});

const start = (args = ''): Running => {
  const running = tautan.start(['listen', ...args.split(' ').filter(Boolean)], { env: { TAUTAN_API_KEY: API_KEY } });
  started.push(running);
  return running;
};
/** Starts the command and waits until it is ready. */
async function listening(args?: string): Promise<Running> {
  const running = start(args);
  await eventually(() => expect(running.stderr()).toMatch(/whsec_\S+\n/));
  return running;
}
const listenerFiles = () => {
  const folder = join(tautan.configDir, 'listeners');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const secretOf = (running: Running) => /whsec_\S+/.exec(running.stderr())![0];

describe('a delivery', () => {
  test('reaches the handler with its headers and body, signed with the printed secret', async () => {
    const running = await listening(`--forward-to ${handler.url}`);
    const [answer] = await webhooks.deliver('link.created', { title: 'Musim semi – 春' });
    expect(answer!.status).toBe(200);
    const [{ headers, path, body }] = handler.received as [TestHandler['received'][0]];
    expect(path).toBe('/hook?key=1');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Tautan-Webhooks/1' });
    const event = new Webhook(secretOf(running)).verify(body, headers as Record<string, string>);
    expect(event).toMatchObject({ type: 'link.created', data: { title: 'Musim semi – 春' } });
    await eventually(() => expect(running.stdout()).toMatch(/^\d\d:\d\d:\d\d  link\.created +evt_\w+  200  \d+ ms\n$/));
  });

  test.each([
    [503, { 'retry-after': '7' }],
    [302, { location: 'http://127.0.0.1:1/' }],
    [204, {}],
  ])('is answered with the status of the handler: %s', async (status, headers) => {
    handler.answers(status, headers, status === 204 ? '' : 'later');
    const running = await listening(`--forward-to ${handler.url}`);
    const [answer] = await webhooks.deliver('link.created');
    expect(answer!.status).toBe(status);
    expect(answer!.headers.get('retry-after')).toBe(status === 503 ? '7' : null);
    expect(await answer!.text()).toBe(status === 204 ? '' : 'later');
    await eventually(() => expect(running.stdout()).toContain(`  ${status}  `));
  });

  test('is sent with the credentials of the handler URL in the Authorization header', async () => {
    await listening(`--forward-to ${handler.url.replace('//', '//mira:p%40ss@')}`);
    await webhooks.deliver('link.created');
    const authorization = `Basic ${Buffer.from('mira:p@ss').toString('base64')}`;
    expect(handler.received[0]!.headers).toMatchObject({ authorization, host: new URL(handler.url).host });
  });

  test('is answered with 502 if the handler is unreachable, so that the service retries', async () => {
    await handler.stop();
    const running = await listening(`--forward-to ${handler.url}`);
    expect((await webhooks.deliver('tag.created'))[0]!.status).toBe(502);
    await eventually(() => expect(running.stdout()).toMatch(/tag\.created +evt_\w+  connection refused  \d+ ms\n/));
  });

  test('is aborted, and the reason is printed, when the service stops waiting', async () => {
    handler.hangs();
    const running = await listening(`--forward-to ${handler.url}`);
    await expect(webhooks.deliver('link.created', {}, 300)).rejects.toThrow();
    await eventually(() => expect(running.stdout()).toMatch(/  the service stopped waiting  \d+ ms\n$/));
    handler.answers(200);
    expect((await webhooks.deliver('link.created'))[0]!.status).toBe(200);
  });

  test('answered with 410 by the handler prints a warning that the service disabled the endpoint', async () => {
    handler.answers(410);
    const running = await listening(`--forward-to ${handler.url}`);
    expect((await webhooks.deliver('link.created'))[0]!.status).toBe(410);
    await eventually(() => expect(running.stderr()).toContain('disabled the endpoint'));
  });

  test('is printed and answered with 204 without --forward-to', async () => {
    const running = await listening();
    expect((await webhooks.deliver('tag.created'))[0]!.status).toBe(204);
    await eventually(() => expect(running.stdout()).toMatch(/^\d\d:\d\d:\d\d  tag\.created +evt_\w+  204\n$/));
  });

  test('is printed with --json as one line of JSON that includes the event', async () => {
    const running = await listening(`--json --forward-to ${handler.url}`);
    await webhooks.deliver('link.created', { slug: 'spring' });
    await webhooks.deliver('tag.created');
    await eventually(() => expect(running.stdout().trimEnd().split('\n')).toHaveLength(2));
    const [first, second] = running
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { time: string });
    expect(first).toMatchObject({
      type: 'link.created',
      id: expect.stringMatching(/^evt_/),
      status: 200,
      error: null,
      ms: expect.any(Number),
      event: { data: { slug: 'spring' } },
    });
    expect(second).toMatchObject({ type: 'tag.created', status: 200 });
    expect(Date.parse(first!.time)).not.toBeNaN();
  });

  test('with a forged signature is rejected and not forwarded', async () => {
    const running = await listening(`--forward-to ${handler.url}`);
    webhooks.endpoints[0]!.secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect((await webhooks.deliver('link.created'))[0]!.status).toBe(401);
    expect((await fetch(new URL('/', webhooks.endpoints[0]!.url), { method: 'POST' })).status).toBe(404);
    await eventually(() => expect(running.stderr()).toContain('without a valid signature'));
    expect(handler.received).toEqual([]);
    expect(running.stdout()).toBe('');
  });
});

describe('--events', () => {
  test('accepts names and prefixes', async () => {
    await listening('--events link.created,tag.* --events tag.created');
    expect(webhooks.endpoints[0]!.events).toEqual(['link.created', 'tag.created', 'tag.deleted']);
  });

  test('defaults to all events', async () => {
    await listening();
    expect(webhooks.endpoints[0]!.events).toEqual(['*']);
  });

  test.each(['link.creatd', 'nothing.*', '*.created'])(
    '%s is a usage error that lists the event types',
    async (events) => {
      const { code, stderr } = await start(`--events ${events}`).ended;
      expect(stderr).toContain(`Unknown event type: ${events}.`);
      expect(stderr).toContain('link.created, link.updated');
      expect(code).toBe(2);
      expect(webhooks.endpoints).toEqual([]);
    },
  );
});

test.each(['ftp://localhost/hook', 'http://', 'localhost:99999'])(
  '--forward-to %s is a usage error',
  async (address) => {
    expect((await start(`--forward-to ${address}`).ended).code).toBe(2);
    expect(service.requests).toEqual([]);
  },
);

test('deliveries are signed with the same secret in every run that uses the same configuration folder', async () => {
  const first = await listening();
  first.kill('SIGINT');
  await first.ended;
  const second = await listening(`--forward-to ${handler.url}`);
  expect(secretOf(second)).toBe(secretOf(first));
  await webhooks.deliver('link.created');
  const [{ headers, body }] = handler.received as [TestHandler['received'][0]];
  new Webhook(secretOf(first)).verify(body, headers as Record<string, string>);
  const folder = join(tautan.configDir, 'listen-secrets');
  const [file] = readdirSync(folder);
  expect(statSync(join(folder, file!)).mode & 0o777).toBe(0o600);
  const elsewhere = tautan.start(['listen'], {
    env: { TAUTAN_API_KEY: API_KEY, TAUTAN_CONFIG_DIR: join(tautan.home, 'other') },
  });
  started.push(elsewhere);
  await eventually(() => expect(elsewhere.stderr()).toMatch(/whsec_\S+\n/));
  expect(secretOf(elsewhere)).not.toBe(secretOf(first));
});

describe('the endpoint', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is removed on %s', async (signal, code) => {
    const running = await listening();
    expect(webhooks.endpoints).toHaveLength(1);
    expect(listenerFiles()).toHaveLength(1);
    running.kill(signal);
    expect((await running.ended).code).toBe(code);
    expect(webhooks.endpoints).toEqual([]);
    expect(listenerFiles()).toEqual([]);
  });

  test('is removed when the reader of the output closes the pipe', async () => {
    const ended = tautan.shell('tautan listen | head -n 1', { env: { TAUTAN_API_KEY: API_KEY } });
    await eventually(() => expect(webhooks.endpoints).toHaveLength(1));
    await eventually(async () => {
      if (webhooks.endpoints.length > 0) await webhooks.deliver('link.created').catch(() => undefined);
      expect(webhooks.endpoints).toEqual([]);
    });
    expect((await ended).stdout.split('\n')).toHaveLength(2);
  });

  test('of a killed listener is removed by the next listener, but that of a running listener is not', async () => {
    const killed = await listening();
    await listening();
    const [leftover, kept] = webhooks.endpoints;
    killed.kill('SIGKILL');
    await killed.ended;
    const next = await listening();
    expect(next.stderr()).toContain("Removed the endpoint left by an earlier 'tautan listen'.");
    expect(webhooks.endpoints).not.toContainEqual(leftover);
    expect(webhooks.endpoints).toEqual([kept, expect.anything()]);
    expect(listenerFiles()).toHaveLength(2);
  });

  test('is removed by the next listener if its removal on exit failed', async () => {
    const running = await listening();
    service.queueResponses('DELETE /webhooks/' + webhooks.endpoints[0]!.id, {
      status: 500,
      error: { code: 'INTERNAL_ERROR', message: 'Sorry.' },
    });
    running.kill('SIGINT');
    expect((await running.ended).stderr).toContain("The next 'tautan listen' removes it.");
    expect(webhooks.endpoints).toHaveLength(1);
    await listening();
    expect(webhooks.endpoints).toHaveLength(1);
    expect(listenerFiles()).toHaveLength(1);
  });

  test('is removed by the next listener if every response to its creation was lost', async () => {
    const lost = {
      raw: (response: ServerResponse) => {
        const { url } = service.requests.at(-1)!.body as { url: string };
        const endpoint = { id: 'whe_lost', url, events: ['*'], active: true, secret: 'whsec_AAAA' };
        webhooks.endpoints.splice(0, 1, endpoint);
        response.destroy();
      },
    };
    service.queueResponses('POST /webhooks', lost, lost, lost, lost);
    expect((await start().ended).code).toBe(5);
    expect(webhooks.endpoints).toHaveLength(1);
    await listening();
    expect(webhooks.endpoints.map(({ id }) => id)).not.toContain('whe_lost');
  });

  test('that cannot be created ends the command', async () => {
    service.on('POST /webhooks', () => ({
      status: 403,
      error: { code: 'FORBIDDEN', message: 'Only owners and admins manage webhooks.' },
    }));
    const { code, stderr } = await start().ended;
    expect(stderr).toContain('Only owners and admins manage webhooks.');
    expect(code).toBe(1);
    expect(listenerFiles()).toEqual([]);
  });
});

describe('if the service cannot deliver to this machine', () => {
  const pollCount = () => service.requests.filter(({ path }) => path === '/webhooks/deliveries').length;
  /** Starts the command and waits for its second poll. Deliveries from then on are new. */
  const watching = async (args: string) => {
    const running = start(args);
    await eventually(() => expect(pollCount()).toBeGreaterThan(1), 10_000);
    return running;
  };
  beforeEach(() => {
    webhooks = serveWebhooks(service, { local: false });
    webhooks.deliverElsewhere('link.created');
  });

  test('prints and forwards new deliveries, signed with the printed secret', async () => {
    const running = await watching(`--events tag.* --forward-to ${handler.url}`);
    expect(running.stderr()).toContain('cannot deliver to this machine: url must name a public host.');
    webhooks.deliverElsewhere('link.created');
    const { eventId, body } = webhooks.deliverElsewhere('tag.created');
    const line = new RegExp(`^\\d\\d:\\d\\d:\\d\\d  tag\\.created +${eventId}  succeeded  200  \\d+ ms\\n$`);
    await eventually(() => expect(running.stdout()).toMatch(line), 10_000);
    expect(handler.received).toHaveLength(1);
    expect(handler.received[0]!.body.toString()).toBe(body);
    expect(handler.received[0]!.headers['webhook-id']).toBe(eventId);
    new Webhook(secretOf(running)).verify(body!, handler.received[0]!.headers as Record<string, string>);
    expect(listenerFiles()).toEqual([]);
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  test('prints each delivery exactly once despite many deliveries and failures', async () => {
    const running = await watching('--json');
    service.queueResponses('GET /webhooks/deliveries', {
      status: 500,
      error: { code: 'INTERNAL_ERROR', message: 'Sorry.' },
    });
    const sent = Array.from({ length: 250 }, () => webhooks.deliverElsewhere('tag.created').eventId);
    service.queueResponses(`GET /webhooks/deliveries/${webhooks.deliveries.at(-200)!.id}`, {
      status: 500,
      error: { code: 'INTERNAL_ERROR', message: 'Sorry.' },
    });
    const shown = () =>
      running
        .stdout()
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { id: string }).id);
    await eventually(() => expect(shown()).toEqual(sent), 20_000);
    const before = pollCount();
    await eventually(() => expect(pollCount()).toBeGreaterThan(before + 1), 10_000);
    expect(shown()).toEqual(sent);
    expect(running.stderr()).toContain('Sorry. Retrying.');
  });

  test('polls a service on another machine without creating an endpoint', async () => {
    webhooks = serveWebhooks(service, { local: true });
    const running = await watching(`--url ${service.url.replace('127.0.0.1', '0.0.0.0')}`);
    expect(running.stderr()).toContain('0.0.0.0 is a remote machine.');
    expect(running.stderr()).toContain('has no webhook endpoints');
    expect(webhooks.endpoints).toEqual([]);
  });
});
