import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { apiClient, type ApiLink, type Client } from '../support/client.js';
import { blocksOf, GuideSandbox, isInstalled } from '../support/guides.js';
import { accepted } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';

// Runs the samples of the quickstart and the guides as printed.
let stack: Stack;
let api: Client;
let sandbox: GuideSandbox;

beforeAll(async () => {
  stack = await startStack({ readyWithinMs: 90_000 });
  api = apiClient(stack);
  sandbox = new GuideSandbox({ TAUTAN_URL: stack.baseUrl, TAUTAN_API_KEY: stack.apiKey });
}, 120_000);
afterAll(async () => {
  sandbox?.remove();
  await stack?.stop();
});

const verifiesSignature = (page: string, tab: string | undefined, code: string) =>
  page.includes('webhooks') && tab !== undefined && /\bverify\b/.test(code);

describe.each([
  'quickstart.md',
  'guides/first-link.md',
  'guides/custom-domain.md',
  'guides/qr-codes.md',
  'guides/webhooks.md',
])('%s', (page) => {
  const blocks = blocksOf(page).filter(
    ({ language, tab, isRunnable, code }) =>
      isRunnable && ['sh', 'js'].includes(language) && !verifiesSignature(page, tab, code),
  );

  test('runs from start to end', async () => {
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) await sandbox.runBlock(block);
  }, 180_000);
});

describe('the code that verifies webhooks', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"type":"link.created","data":{"title":"Promo ☕"}}';
  const harness: Record<string, { program: string; file: string; run: string; wrap: (code: string) => string }> = {
    js: {
      program: 'node',
      file: 'verify.mjs',
      run: 'node verify.mjs',
      wrap: (code) =>
        `${code}\nconst { body, headers, secret } = JSON.parse(process.env.DELIVERY);\nconsole.log(JSON.stringify(await verify(body, headers, secret)));\n`,
    },
    python: {
      program: 'python3',
      file: 'verify.py',
      run: 'python3 verify.py',
      wrap: (code) =>
        `${code}\nimport os\nd = json.loads(os.environ["DELIVERY"])\nprint(json.dumps(verify(d["body"].encode(), d["headers"], d["secret"])))\n`,
    },
    php: {
      program: 'php',
      file: 'verify.php',
      run: 'php verify.php',
      wrap: (code) =>
        `<?php\n${code}\n$d = json_decode(getenv('DELIVERY'), true);\necho json_encode(verify($d['body'], $d['headers'], $d['secret']));\n`,
    },
  };
  const samples = blocksOf('guides/webhooks.md').filter(
    ({ tab, language, code }) =>
      verifiesSignature('webhooks', tab, code) && harness[language] && isInstalled(harness[language].program),
  );

  test('has samples for the SDK and Node.js', () => {
    expect(samples.map(({ tab }) => tab)).toEqual(expect.arrayContaining(['SDK', 'Node.js']));
  });

  test.each(samples.map((sample) => [sample.tab, sample] as const))(
    'in the tab %s accepts a valid webhook, and rejects a changed body, an old timestamp and a wrong secret',
    async (_, { language, code }) => {
      const { file, run, wrap } = harness[language]!;
      sandbox.write(file, wrap(code));
      // The header starts with a wrong signature, as it may during a secret rotation.
      const signed = (at: Date, signingSecret = secret) => ({
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': `v1,AAAA ${new Webhook(signingSecret).sign('evt_1', at, body)}`,
      });
      const verify = (headers: object, content = body) =>
        sandbox.run(run, { DELIVERY: JSON.stringify({ body: content, headers, secret }) });
      expect(JSON.parse(await verify(signed(new Date())))).toEqual(JSON.parse(body));
      await expect(verify(signed(new Date()), body.replace('Promo', 'Other'))).rejects.toThrow();
      await expect(verify(signed(new Date(Date.now() - 3_600_000)))).rejects.toThrow();
      await expect(verify(signed(new Date(), `whsec_${Buffer.alloc(32, 8).toString('base64')}`))).rejects.toThrow();
    },
  );
});

describe('the migration', () => {
  /** A stand-in for the APIs of the products that the guide migrates from. */
  let oldProducts: Server;
  let address: string;
  const created = '2024-05-06T07:08:09.000Z';
  /** The responses of the products, keyed by request path. */
  const responses: Record<string, object> = {
    '/v4/groups/g1/bitlinks': {
      links: [
        {
          id: 'bit.ly/from-bitly',
          long_url: 'https://example.com/bitly',
          title: 'Bitly',
          tags: ['old'],
          archived: false,
          created_at: '2024-05-06T07:08:09+0000',
        },
      ],
      pagination: { next: '' },
    },
    '/api/links': {
      links: [
        {
          path: 'from-shortio',
          originalURL: 'https://example.com/shortio',
          title: 'Short.io',
          tags: ['old'],
          archived: false,
          createdAt: created,
        },
      ],
      nextPageToken: null,
    },
    '/api/v2/links': {
      total: 1,
      data: [{ address: 'from-kutt', target: 'https://example.com/kutt', description: 'Kutt', created_at: created }],
    },
    '/yourls-api.php': {
      links: {
        link_1: {
          shorturl: 'https://old.example/from-yourls',
          url: 'https://example.com/yourls',
          title: 'YOURLS',
          timestamp: '2024-05-06 07:08:09',
        },
      },
    },
    '/rest/v3/short-urls': {
      shortUrls: {
        data: [
          {
            shortCode: 'from-shlink',
            longUrl: 'https://example.com/shlink',
            title: null,
            tags: ['old'],
            dateCreated: '2024-05-06T07:08:09+00:00',
            meta: { validSince: null, validUntil: null, maxVisits: 9 },
          },
        ],
        pagination: { currentPage: 1, pagesCount: 1 },
      },
    },
  };

  beforeAll(async () => {
    oldProducts = createServer((request, response) => {
      const body = responses[request.url!.split('?')[0]!];
      response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
    await new Promise<void>((resolve) => oldProducts.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(oldProducts.address() as AddressInfo).port}`;
  });
  afterAll(() => void oldProducts.close());

  const scripts = blocksOf('guides/migrate.md').filter(({ language }) => language === 'js');
  const steps = blocksOf('guides/migrate.md').filter(({ language, isRunnable }) => language === 'sh' && isRunnable);

  test.each(scripts.map((script) => [script.tab!, script] as const))(
    'from %s keeps slugs and creation times',
    async (name, { code }) => {
      sandbox.write('export.mjs', code.replace(/https:\/\/api(-ssl\.bitly\.com|\.short\.io)/, address));
      const env = {
        BITLY_GROUP: 'g1',
        BITLY_TOKEN: 't',
        SHORTIO_KEY: 'k',
        SHORTIO_DOMAIN: '1',
        KUTT_URL: address,
        KUTT_KEY: 'k',
        YOURLS_URL: address,
        YOURLS_SIGNATURE: 's',
        SHLINK_URL: address,
        SHLINK_KEY: 'k',
      };
      for (const { code: step } of steps) await sandbox.run(step, env);
      const slug = `from-${name.toLowerCase().replace('.', '')}`;
      const link = accepted(await api.get<ApiLink>(`/links/${slug}`));
      expect(link).toMatchObject({ slug, createdAt: created, url: `https://example.com/${slug.replace('from-', '')}` });
    },
    120_000,
  );
});
