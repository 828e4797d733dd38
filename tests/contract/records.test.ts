import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startStack, type Stack } from '../support/stack.js';
import {
  bodyOf,
  dataOf,
  schemaNamed,
  operation,
  readDescription,
  schemaAt,
  type JsonSchema,
} from '../support/description.js';
import { contract, firstGroup, numberIn } from './documents.js';
import { differences, shapeOf } from './shapes.js';

// Compares the records and field limits in the OpenAPI document of a running gateway with the contract.
let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
  await readDescription(stack.baseUrl);
});
afterAll(() => stack?.stop());

describe('records:', () => {
  // Fields in addition to those of the contract. Clients must ignore unknown fields.
  const additional: Record<string, string[]> = {
    AuditEntry: ['+ summary'],
    Domain: ['+ brandName', '+ brandLogoUrl', '+ brandColor', '+ rootUrl', '+ notFoundUrl', '+ expiredUrl'],
    Usage: ['+ plan'],
  };

  test.each([
    ['Link', /\nRecord: `(id, slug, domain[^`]+)`/],
    ['QrCode', /\nRecord: `(id, title, url[^`]+)`/],
    ['LinkStats', /\n`(\{from, to, granularity[^`]+\})`/],
    ['WorkspaceStats', /current\/stats`: `(\{[^`]+\})`/],
    ['Logo', /\*\*upload-logo\*\* → 201 `(\{[^`]+\})`/],
    ['Tag', /\n`(\{id, name, linkCount[^`]+\})`/],
    ['Domain', /\n`(\{id, domain, status[^`]+\})`/],
    ['Workspace', /Workspace `(\{[^`]+\})`/],
    ['Member', /Member `(\{[^`]+\})`/],
    ['Session', /`GET session` \(`(\{[^`]+\})`/],
    ['ApiKey', /listed as `(\{[^`]+\})`/],
    ['Plan', /Plan `(\{[^`]+\})`/],
    ['Subscription', /Subscription `(\{[^`]+\})`/],
    ['Checkout', /→ `(\{checkoutUrl[^`]+\})`/],
    ['BillingPortal', /→ `(\{portalUrl[^`]+\})`/],
    ['Usage', /Usage `(\{[^`]+\})`/],
    ['Invoice', /History item `(\{[^`]+\})`/],
    ['AuditEntry', /state change by anyone: `(\{[^`]+\})`/],
    ['EventType', /`event-types` lists `(\{[^`]+\})`/],
    ['WebhookEndpoint', /Endpoint `(\{[^`]+\})`/],
    ['Delivery', /Delivery `(\{[^`]+\})`/],
  ])('%s has the fields of the contract', (name, pattern) => {
    // The properties of `changes {field: …}` are the names of the changed fields, so they are not compared.
    const notation = firstGroup(contract, pattern).replace(/changes \{field:[^}]+\}\}/, 'changes');
    expect(differences(shapeOf(notation), schemaNamed(name))).toEqual(additional[name] ?? []);
  });

  test('a delivery is listed without its body and attempt log', () => {
    const documented = shapeOf(firstGroup(contract, /Delivery `(\{[^`]+\})`/));
    expect(contract).toContain('(the listing omits `body` and `attemptLog`)');
    expect(differences(documented, schemaNamed('DeliverySummary'))).toEqual(['- body', '- attemptLog']);
  });

  test('statistics of QR codes have the fields of link statistics, with scans instead of clicks', () => {
    const documented = firstGroup(contract, /\n`(\{from, to, granularity[^`]+\})`/).replaceAll('clicks', 'scans');
    expect(differences(shapeOf(documented), schemaNamed('QrCodeStats'))).toEqual([]);
  });

  test.each([
    ['mintApiKey', /`POST api-keys \{label\}` → 201 `(\{[^`]+\})`/, ['+ createdAt']],
    ['createQrDownloadToken', /\*\*download-token\*\* → `(\{[^`]+\})`/, []],
    ['bulkLinks', /returns `(\{action[^`]+\})`/, []],
    ['importLinks', /return `(\{dryRun[^`]+\})`/, []],
  ])('%s returns the fields of the contract', (id, pattern, more) => {
    expect(differences(shapeOf(firstGroup(contract, pattern)), dataOf(operation(id)))).toEqual(more);
  });
});

describe('limits of fields', () => {
  const link = (name: string): JsonSchema => schemaAt(bodyOf(operation('createLink')).properties![name]!);
  const style = (name: string): JsonSchema =>
    schemaAt(schemaAt(bodyOf(operation('createQrCode')).properties!['styleConfig']!).properties![name]!);
  const documented = (pattern: RegExp): number => numberIn(contract, pattern);

  test('are those of the contract', () => {
    const bounds: [string, unknown, number][] = [
      ['url', link('url').maxLength, documented(/absolute http\(s\), ≤ ([\d,]+) characters/)],
      ['title', link('title').maxLength, documented(/`title` ≤ (\d+), /)],
      ['description', link('description').maxLength, documented(/`description` ≤ (\d+)/)],
      ['slug', link('slug').minLength, documented(/\*\*slug\*\*: (\d+)–\d+ of/)],
      ['slug', link('slug').maxLength, documented(/\*\*slug\*\*: \d+–(\d+) of/)],
      ['tags', link('tags').maxItems, documented(/\*\*tags\*\*: ≤ (\d+) names/)],
      ['tags[]', schemaAt(link('tags').items!).minLength, documented(/collapsed, (\d+)–\d+ characters/)],
      ['tags[]', schemaAt(link('tags').items!).maxLength, documented(/collapsed, \d+–(\d+) characters/)],
      ['maxClicks', link('maxClicks').minimum, documented(/\*\*maxClicks\*\*: integer (\d+)–/)],
      ['maxClicks', link('maxClicks').maximum, documented(/\*\*maxClicks\*\*: integer \d+–([\d,]+)/)],
      ['ids', bodyOf(operation('bulkLinks')).properties!['ids']!.maxItems, documented(/≤ (\d+) ids/)],
      ['links', bodyOf(operation('importLinks')).properties!['links']!.maxItems, documented(/≤ ([\d,]+) items/)],
      [
        'QR title',
        schemaAt(bodyOf(operation('createQrCode')).properties!['title']!).maxLength,
        documented(/behave as for links\. `title` ≤ (\d+)/),
      ],
      ['size', style('size').minimum, documented(/size 600 \((\d+)–/)],
      ['size', style('size').maximum, documented(/size 600 \(\d+–(\d+) px/)],
      ['margin', style('margin').minimum, documented(/margin 2 \((\d+)–/)],
      ['margin', style('margin').maximum, documented(/margin 2 \(\d+–(\d+) modules/)],
      ['logoScale', style('logoScale').minimum, documented(/logoScale ([\d.]+)–/)],
      ['logoScale', style('logoScale').maximum, documented(/logoScale [\d.]+–([\d.]+)/)],
      [
        'endpoint url',
        bodyOf(operation('createWebhook')).properties!['url']!.maxLength,
        documented(/\(configurable\), ≤ ([\d,]+) characters/),
      ],
    ];
    expect(bounds.map(([name, described]) => [name, described])).toEqual(
      bounds.map(([name, , bound]) => [name, bound]),
    );
  });

  test('allow the characters of the contract in slugs', () => {
    expect(link('slug')).toMatchObject({
      pattern: `^${firstGroup(contract, /\*\*slug\*\*: 1–64 of `([^`]+)`/)}{1,64}$`,
    });
  });
});
