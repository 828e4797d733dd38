import { describe, expect, test } from '@jest/globals';
import type { Subscription, Usage } from '../api/records.js';
import { money } from './money.js';
import { subscriptionState } from './plan.js';
import { styles } from './style.js';
import { widthOf } from './text.js';
import { nextReset, usageLegend, usageTable } from './usage.js';

const plain = styles(false);
const usage = (links: Usage[string], rest: Record<string, Usage[string]> = {}): Usage => ({
  period: '2030-01',
  plan: 'FREE',
  links,
  ...rest,
});
const row = (used: number, limit: number | null) => usageTable(usage({ used, limit }), plain).split('\n')[1];

describe('usage', () => {
  test.each([
    [0, 50, '   Links per month     0       50  ░░░░░░░░░░  0%'],
    [39, 50, '   Links per month    39       50  ███████░░░  78%'],
    [40, 50, '!  Links per month    40       50  ████████░░  80%'],
    [49, 50, '!  Links per month    49       50  █████████░  98%'],
    [50, 50, '✗  Links per month    50       50  ██████████  100%'],
    [60, 50, '✗  Links per month    60       50  ██████████  120%'],
    [0, 0, '✗  Links per month     0        0  ██████████  100%'],
    [9_999, 10_000, '!  Links per month  9,999   10,000  █████████░  99%'],
    [7, null, '   Links per month     7  unlimited'],
  ])('shows the mark, bar and percentage of %i used of %p', (used, limit, line) => {
    expect(row(used, limit)!.replace(/ {2,}/g, '  ')).toBe(line.replace(/ {2,}/g, '  '));
  });

  test.each([50, 58])('fits %i columns with the largest limits by omitting bars and keeping percentages', (width) => {
    const text = usageTable(
      usage({ used: 2_100_000, limit: 2_500_000 }, { webhookEndpoints: { used: 20, limit: null } }),
      plain,
      width,
    );
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(text).toContain('Webhook endpoints');
    expect(text).toContain('84%');
    expect(text).not.toContain('█');
  });

  test('the legend explains the marks in the table', () => {
    expect(usageLegend(usage({ used: 1, limit: 50 }), plain)).toBe('');
    expect(usageLegend(usage({ used: 45, limit: 50 }), plain)).toBe('! 80% or more used');
    expect(usageLegend(usage({ used: 45, limit: 50 }, { qrCodes: { used: 2, limit: 1 } }), plain)).toBe(
      '✗ limit reached   ! 80% or more used',
    );
  });

  test('prints a limit unknown to this version with its API name', () => {
    expect(usageTable(usage({ used: 1, limit: 2 }, { folders: { used: 1, limit: 2 } }), plain)).toMatch(
      /^ {3}folders/m,
    );
  });

  test.each([
    ['2030-01', '1 Feb 2030'],
    ['2030-12', '1 Jan 2031'],
  ])('monthly limits of %s reset on %s', (period, date) => {
    expect(nextReset(period)).toBe(date);
  });
});

test.each([
  [149_000, 'IDR', 'Rp 149,000'],
  [9, 'USD', '$9'],
  [-4.5, 'USD', '-$4.50'],
])('%d %s is shown as %s', (amount, currency, text) => {
  expect(money(amount, currency)).toBe(text);
});

describe('a subscription', () => {
  const active: Subscription = {
    id: 'sub_01jd3x8q4v5w6y7z8a9b0c1d2e',
    plan: 'PRO',
    status: 'active',
    currency: 'IDR',
    currentPeriodStart: '2030-01-31T12:00:00.000Z',
    currentPeriodEnd: '2030-02-28T12:00:00.000Z',
    cancelAtPeriodEnd: false,
    pendingPlan: null,
  };
  test.each<[Partial<Subscription>, string | null]>([
    [{}, 'active, renews on 28 Feb 2030'],
    [{ cancelAtPeriodEnd: true, pendingPlan: 'FREE' }, 'active, ends on 28 Feb 2030'],
    [{ pendingPlan: 'PRO' }, 'active, changes to PRO on 28 Feb 2030'],
    [{ status: 'past_due' }, 'past due'],
    [{ status: 'canceled' }, 'canceled'],
    [{ status: 'none', currentPeriodEnd: null }, null],
  ])('with %j is described as %j', (fields, text) => {
    expect(subscriptionState({ ...active, ...fields })).toBe(text);
  });
});
