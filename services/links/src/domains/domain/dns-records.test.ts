import { describe, expect, test } from '@jest/globals';
import {
  boundedResult,
  dnsRecords,
  evaluateRecords,
  localResult,
  type DnsResult,
  type DomainTarget,
} from './dns-records.js';

const domain = { name: 'links.customer.example', token: 'abc' };
const apex = { name: 'customer.example', token: 'abc' };
const named: DomainTarget = { host: 'links.example.net', addresses: [] };
const addressed: DomainTarget = { host: 'links.example.net', addresses: ['192.0.2.7', '2001:db8::7'] };
const owned = ['v=spf1', 'tautan-verify=abc'];

const aResult = (result: Partial<DnsResult> = {}): DnsResult => ({
  ownership: owned,
  cname: [],
  a: [],
  aaaa: [],
  target: ['192.0.2.7'],
  ...result,
});
const outcomeOf = (result: Partial<DnsResult>, of = domain, target = named) =>
  evaluateRecords(of, aResult(result), target);

describe('the records of a domain', () => {
  test('are an ownership TXT record and a CNAME to the target; before the first check, both are reported as not found', () => {
    expect(dnsRecords(domain, null, named)).toEqual([
      {
        type: 'TXT',
        name: '_tautan.links.customer.example',
        value: 'tautan-verify=abc',
        purpose: 'ownership',
        found: [],
        ok: false,
      },
      {
        type: 'CNAME',
        name: 'links.customer.example',
        value: 'links.example.net',
        purpose: 'routing',
        found: [],
        ok: false,
      },
    ]);
  });

  test('at an apex contain the configured addresses; without these, the resolved ones; without either, a CNAME', () => {
    const routing = (result: DnsResult | null, target = named) =>
      dnsRecords(apex, result, target)
        .slice(1)
        .map(({ type, value }) => `${type} ${value}`);
    expect(routing(null, addressed)).toEqual(['A 192.0.2.7', 'AAAA 2001:db8::7']);
    expect(routing(aResult())).toEqual(['A 192.0.2.7']);
    expect(routing(null)).toEqual(['CNAME links.example.net']);
    const unknownTarget = aResult({ cname: null, a: ['192.0.2.7'], target: null });
    expect(dnsRecords(apex, unknownTarget, named)[1]).toMatchObject({ found: ['192.0.2.7'], ok: false });
  });

  test('include an A record instead of a CNAME if the target is an IPv4 address', () => {
    const [, routing] = dnsRecords(domain, aResult({ a: ['192.0.2.9'] }), {
      host: '192.0.2.9',
      addresses: ['192.0.2.9'],
    });
    expect(routing).toMatchObject({ type: 'A', value: '192.0.2.9', ok: true });
  });

  test('contain the values that were found, whether right or wrong', () => {
    const records = dnsRecords(domain, aResult({ ownership: ['other'], cname: ['elsewhere.example'] }), named);
    expect(records.map(({ found, ok }) => [found, ok])).toEqual([
      [['other'], false],
      [['elsewhere.example'], false],
    ]);
    const [, a, aaaa] = dnsRecords(apex, aResult({ a: ['192.0.2.7'] }), addressed);
    expect([a!.ok, aaaa!.ok, aaaa!.found]).toEqual([true, false, []]);
    expect(dnsRecords(apex, null, addressed)).toMatchObject([{ found: [] }, { found: [] }, { found: [] }]);
    for (const cname of [null, []]) {
      const withoutCname = aResult({ cname, a: ['192.0.2.9'], aaaa: ['2001:db8::9'] });
      expect(dnsRecords(domain, withoutCname, named)[1]!.found).toEqual(['192.0.2.9', '2001:db8::9']);
    }
  });
});

describe('the outcome of a check', () => {
  test.each<[string, Partial<DnsResult>]>([
    ['by a CNAME', { cname: ['links.example.net'] }],
    ['by a CNAME in capitals with a final dot', { cname: ['Links.Example.NET.'] }],
    ["by the target's address, where the CNAME was flattened", { a: ['192.0.2.7'] }],
  ])('is `right` if the ownership is proven and the domain points to the target %s', (_, result) => {
    expect(outcomeOf(result)).toEqual({ outcome: 'right', error: null });
  });

  test.each<[string, Partial<DnsResult>, RegExp]>([
    [
      'no TXT record',
      { ownership: [], cname: ['links.example.net'] },
      /_tautan\.links\.customer\.example has no TXT record with the value tautan-verify=abc/,
    ],
    [
      'the token of another workspace',
      { ownership: ['tautan-verify=xyz'], cname: ['links.example.net'] },
      /has no TXT record/,
    ],
    ['no CNAME', {}, /has no CNAME record that points to links\.example\.net/],
    ['another CNAME', { cname: ['elsewhere.example'] }, /has no CNAME record/],
    ['a foreign address', { a: ['192.0.2.99'] }, /has no CNAME record/],
    ['a foreign address beside the right one', { a: ['192.0.2.7', '192.0.2.99'] }, /has no CNAME record/],
    ['a foreign IPv6 address beside the right one', { a: ['192.0.2.7'], aaaa: ['2001:db8::99'] }, /has no CNAME/],
    [
      'no TXT record, and no response for the CNAME',
      { ownership: [], cname: null },
      /has no TXT record with the value [^ ]+$/,
    ],
    ['no routing record, and no response for the target', { target: null }, /has no CNAME record/],
  ])('is `wrong` with %s', (_, result, error) => {
    expect(outcomeOf(result)).toEqual({ outcome: 'wrong', error: expect.stringMatching(error) });
  });

  test.each<[string, Partial<DnsResult>, string]>([
    ['anything', { ownership: null, cname: null, a: null, aaaa: null, target: null }, domain.name],
    ['the ownership', { ownership: null, cname: ['links.example.net'] }, `_tautan.${domain.name}`],
    ['the routing', { cname: null }, domain.name],
    ["the target's addresses, if the result depends on them", { a: ['192.0.2.7'], target: null }, domain.name],
    ['IPv6 addresses', { a: ['192.0.2.7'], aaaa: null }, domain.name],
  ])('is `unknown` without a response for %s, with an error that names the record', (_, result, name) => {
    const error = `The DNS lookup failed for ${name}.`;
    expect(outcomeOf(result)).toEqual({ outcome: 'unknown', error });
  });

  test('is `right` at an apex with some of the addresses, and `wrong` with a foreign one', () => {
    expect(outcomeOf({ a: ['192.0.2.7'] }, apex, addressed).outcome).toBe('right');
    expect(outcomeOf({ aaaa: ['2001:db8::7'] }, apex, addressed).outcome).toBe('right');
    expect(outcomeOf({ a: ['192.0.2.8'] }, apex, addressed)).toEqual({
      outcome: 'wrong',
      error: 'The A and AAAA records of customer.example must only contain 192.0.2.7, 2001:db8::7.',
    });
    expect(outcomeOf({ a: ['192.0.2.7'], target: [] }, apex).error).toMatch(/has no address/);
  });
});

describe('the stored part of a lookup', () => {
  const others = Array.from({ length: 30 }, (_, i) => `${i} ${'x'.repeat(300)}`);
  const bounded = others.slice(0, 20).map((value) => value.slice(0, 255));
  const proof = 'tautan-verify=abc';

  test.each<[string, DomainTarget]>([
    ['configured addresses', addressed],
    ['resolved addresses', named],
  ])('with %s contains the expected values first, then 20 different others, shortened', (_, target) => {
    const expected = ['192.0.2.7', '2001:db8::7'];
    const amongOthers = (...values: string[]) => [...others.slice(0, 5), ...values, ...others, ...values];
    const [ownership, a] = [amongOthers(proof), amongOthers(...expected)];
    const result = { ownership, cname: amongOthers(), a, aaaa: a, target: expected };
    expect(boundedResult(domain, result, target)).toEqual({
      ownership: [proof, ...bounded],
      cname: bounded,
      a: [...expected, ...bounded],
      aaaa: [...expected, ...bounded],
      target: expected,
    });
  });

  test('distinguishes no response from no values', () => {
    const result = { ownership: null, cname: [], a: null, aaaa: [], target: null };
    expect(boundedResult(domain, result, named)).toEqual(result);
  });
});

describe('the simulated lookup of a domain under .localhost', () => {
  const local = { name: 'toko.localhost', token: 'abc' };

  test.each<[string, DomainTarget, string[], string[]]>([
    ['the configured addresses', addressed, ['192.0.2.7'], ['2001:db8::7']],
    ['loopback addresses', named, ['127.0.0.1'], ['::1']],
  ])('finds %s, and the outcome of the check is `right`', (_, target, a, aaaa) => {
    const result = localResult(local, { target, allowLocal: true })!;
    expect(result).toEqual({ ownership: ['tautan-verify=abc'], cname: [], a, aaaa, target: [...a, ...aaaa] });
    expect(evaluateRecords(local, result, target)).toEqual({ outcome: 'right', error: null });
  });

  test('is not used for other domains, nor if local domains are not allowed', () => {
    expect(localResult(local, { target: named, allowLocal: false })).toBeUndefined();
    expect(localResult(domain, { target: named, allowLocal: true })).toBeUndefined();
  });
});
