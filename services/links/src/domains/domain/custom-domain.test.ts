import { describe, expect, test } from '@jest/globals';
import { afterCheck, type CustomDomain, type CheckResult } from './custom-domain.js';
import type { DnsResult } from './dns-records.js';

const DAY = 86_400_000;
const start = new Date('2030-01-01T00:00:00Z');
const at = (days: number) => new Date(start.getTime() + days * DAY);
const result: DnsResult = { ownership: [], cname: [], a: [], aaaa: [], target: [] };
const right: CheckResult = { outcome: 'right', error: null };
const wrong: CheckResult = { outcome: 'wrong', error: 'wrong' };
const unknown: CheckResult = { outcome: 'unknown', error: 'no answer' };

const aDomain = (fields: Partial<CustomDomain> = {}): CustomDomain => ({
  _id: 'dom_1',
  workspaceId: 'ws_1',
  name: 'links.customer.example',
  token: 'abc',
  status: 'pending',
  lastLookup: null,
  lastCheckedAt: null,
  lastError: null,
  verifiedAt: null,
  failingSince: null,
  nextCheckAt: null,
  linkCount: 0,
  createdAt: start,
  ...fields,
});
const after = (domain: CustomDomain, checked: CheckResult, days: number) =>
  afterCheck(domain, result, checked, { now: at(days), checkEveryMs: DAY });
const verified = after(aDomain(), right, 0);

describe('a domain after a check', () => {
  test.each(['pending', 'failed'] as const)('becomes verified if it was %s and the records are right', (status) => {
    expect(after(aDomain({ status, lastError: 'wrong' }), right, 1)).toMatchObject({
      status: 'verified',
      verifiedAt: at(1),
      lastCheckedAt: at(1),
      nextCheckAt: at(2),
      lastError: null,
      failingSince: null,
    });
  });

  test.each([
    ['pending', wrong],
    ['pending', unknown],
    ['failed', wrong],
    ['failed', unknown],
  ] as const)('has the status failed if it was %s and the check does not confirm the records', (status, checked) => {
    expect(after(aDomain({ status }), checked, 1)).toMatchObject({
      status: 'failed',
      lastError: checked.error,
      verifiedAt: null,
    });
  });

  test('stays verified for seven days of wrong records, then fails', () => {
    let domain = verified;
    for (let day = 1; day < 8; day += 1) {
      domain = after(domain, wrong, day);
      expect(domain).toMatchObject({ status: 'verified', failingSince: at(1), lastError: 'wrong', verifiedAt: at(0) });
    }
    expect(after(domain, wrong, 8)).toMatchObject({ status: 'failed', verifiedAt: at(0), nextCheckAt: null });
  });

  test('keeps the time of its verification while the records are right', () => {
    expect(after(verified, right, 1)).toMatchObject({ verifiedAt: at(0), lastCheckedAt: at(1), nextCheckAt: at(2) });
  });

  test('gets another seven days if the records are wrong again after a successful check', () => {
    const again = after(after(after(verified, wrong, 1), right, 7), wrong, 8);
    expect(again).toMatchObject({ status: 'verified', failingSince: at(8) });
  });

  test('stays verified while name servers do not respond', () => {
    const unanswered = after(verified, unknown, 30);
    expect(unanswered).toMatchObject({ status: 'verified', failingSince: null, lastError: 'no answer' });
    const failing = after(verified, wrong, 1);
    expect(after(failing, unknown, 30)).toMatchObject({ status: 'verified', failingSince: at(1), nextCheckAt: at(31) });
    expect(after(failing, unknown, 8).nextCheckAt).toEqual(at(9));
    expect(after(failing, wrong, 31)).toMatchObject({ status: 'failed' });
  });

  test('is checked again a day later, or at the end of the seven days if that is earlier', () => {
    expect(after(verified, wrong, 1).nextCheckAt).toEqual(at(2));
    expect(after(after(verified, wrong, 1), wrong, 7.5).nextCheckAt).toEqual(at(8));
  });
});
