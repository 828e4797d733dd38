import { describe, expect, test } from '@jest/globals';
import { errorCatalog, httpStatus, isId } from '@tautan/kit';
import { defaultPlans, eventCatalog, listedPlanNames, type Plan } from '@tautan/proto';
import { byName, contract, firstGroup, numberIn, reference, rows, section, words } from './documents.js';

// Compares the catalogs in the code with the documents.

const splitCell = (cell: string): string[] => cell.split(/\s*[/,]\s*/);

describe('error codes', () => {
  const stated = rows(section(contract, 'Errors')).flatMap(([codes, statuses]) => {
    const httpStatuses = splitCell(statuses!).map(Number);
    return splitCell(codes!).map((code, at) => [code, httpStatuses[at] ?? httpStatuses[0]!] as const);
  });
  const declared = Object.entries(errorCatalog).map(([code, { kind }]) => [code, httpStatus[kind]] as const);

  test('are those of the contract, with its HTTP statuses', () => {
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(stated));
  });

  test('listed in the reference have the same HTTP statuses in the catalog', () => {
    const given = rows(section(reference, 'Errors')).filter(([, status]) => /^\d+$/.test(status!));
    expect(given.length).toBeGreaterThan(5);
    expect(given.map(([code, status]) => [code, Number(status)])).toEqual(
      given.map(([code]) => [code, Object.fromEntries(declared)[code!]]),
    );
  });
});

describe('plans', () => {
  const table = rows(section(contract, 'Billing'));
  const cell: Record<string, (plan: Plan) => string> = {
    price: ({ prices }) => shown(prices.IDR),
    'links created per month': ({ limits }) => shown(limits.links),
    'QR codes (total)': ({ limits }) => shown(limits.qrCodes),
    'custom domains / members / webhook endpoints': ({ limits }) =>
      [limits.domains, limits.members, limits.webhookEndpoints].map(shown).join(' / '),
    'tracked clicks per month (soft)': ({ limits }) => shown(limits.clicks),
    'analytics retention, days': ({ limits }) => shown(limits.analyticsRetentionDays),
    'reads / writes per second': ({ rateLimits: { read, write } }) => `${read} / ${write}`,
    qrLogoEnabled: (plan) => String(plan.qrLogoEnabled),
  };
  const shown = (limit: number | null): string => limit?.toLocaleString('en') ?? 'unlimited';

  test('are listed in the order of the contract', () => {
    expect(contract).toContain(`\n| | ${listedPlanNames.join(' | ')} |\n`);
  });

  test('have all prices and limits of the contract', () => {
    const declared = Object.keys(cell).map((label) => [
      label,
      ...listedPlanNames.map((name) => cell[label]!(defaultPlans[name])),
    ]);
    expect(declared).toEqual(table);
  });

  test('PRO has the rate limits of the reference', () => {
    const limits = byName(section(reference, 'Limits'));
    const { read, write } = defaultPlans.PRO.rateLimits;
    expect(limits['Read requests (GET)']).toBe(`${read} per second per workspace`);
    expect(limits['Write requests (POST, PUT, PATCH, DELETE)']).toBe(`${write} per second per workspace`);
  });

  test('UNLIMITED has no limit', () => {
    expect(contract).toContain('`UNLIMITED` (every limit `null`)');
    expect(new Set(Object.values(defaultPlans.UNLIMITED.limits))).toEqual(new Set([null]));
  });
});

describe('events', () => {
  const catalog = Object.entries(eventCatalog) as [string, { audit?: string; webhook?: unknown }][];
  const types = words(firstGroup(section(contract, 'Webhooks'), /Types: `([^`]+)`/));

  test('for webhooks are those of the contract', () => {
    const deliverable = catalog.filter(([, { webhook }]) => webhook !== undefined).map(([type]) => type);
    // In addition to the contract: changes to the pages that visitors of a custom domain see.
    expect(deliverable.sort()).toEqual([...types, 'domain.updated'].sort());
  });

  test('in the audit log are those of the contract', () => {
    // These are not changes, so they are delivered but not audited.
    const unaudited = ['link.clicked', 'qr_code.scanned', 'webhook.test'];
    // In addition to the contract: new checkouts, and changes to the pages that visitors of a custom domain see.
    const additional = ['checkout.created', 'domain.updated'];
    const listed = firstGroup(section(contract, 'Audit log'), /plus `([^`]+)`/);
    const more = words(listed).flatMap((item) => {
      const [resource, ...verbs] = item.split(/[.|]/);
      return verbs.map((verb) => `${resource}.${verb}`);
    });
    const stated = [...types.filter((type) => !unaudited.includes(type)), ...more, ...additional];
    const recorded = catalog.filter(([, { audit }]) => audit !== undefined).map(([type]) => type);
    expect(recorded.sort()).toEqual(stated.sort());
  });
});

test('ids have the prefixes of the contract', () => {
  const prefixes = [...firstGroup(contract, /\*\*Ids\*\*:(.*)/).matchAll(/\b([a-z]+_)/g)].map(([, prefix]) => prefix!);
  expect(prefixes.length).toBeGreaterThan(10);
  const idWith = (prefix: string): string => `${prefix}01jd3x8q4v5w6y7z8a9b0c1d2e`;
  expect(prefixes.filter((prefix) => !isId(idWith(prefix)))).toEqual([]);
});

test('numberIn returns the number that a pattern matches, and throws if nothing matches', () => {
  expect(numberIn(contract, /`title` ≤ (\d+)/)).toBe(200);
  expect(() => numberIn(contract, /`nothing` ≤ (\d+)/)).toThrow(/does not match/);
});
