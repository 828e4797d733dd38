import type { Plan, Subscription } from '../api/records.js';
import { money } from './money.js';
import type { Style } from './style.js';
import { table } from './table.js';
import { count, printable } from './text.js';
import { dateOf } from './times.js';

const limitLabels: Record<string, string> = {
  links: 'Links per month',
  qrCodes: 'QR codes',
  domains: 'Custom domains',
  members: 'Members',
  webhookEndpoints: 'Webhook endpoints',
  clicks: 'Clicks per month',
  analyticsRetentionDays: 'Days of analytics',
};

/** Returns the label of a limit, or its API name if this version of the CLI does not know it. */
export const limitLabel = (name: string): string => limitLabels[name] ?? printable(name);

/** Returns a limit as text: "1,000", or "unlimited" for null. */
export const limitText = (limit: number | null): string => (limit === null ? 'unlimited' : count(limit));

/** Returns the labels and values of a plan's properties. */
export const planRows = ({ price, interval, limits, qrLogoEnabled, rateLimits }: Plan): [string, string][] => [
  [`Price per ${printable(interval)}`, money(price.amount, price.currency)],
  ...Object.entries(limits).map(([name, limit]): [string, string] => [limitLabel(name), limitText(limit)]),
  ['QR code logos', qrLogoEnabled ? 'yes' : 'no'],
  ['Reads per second', count(rateLimits.read)],
  ['Writes per second', count(rateLimits.write)],
];

/** Returns a table with one column per plan. */
export function planTable(plans: Plan[], style: Style, width?: number): string {
  const valuesByPlan = plans.map((plan) => new Map(planRows(plan)));
  const labels = [...new Set(valuesByPlan.flatMap((one) => [...one.keys()]))];
  return table<string>(
    labels,
    [
      { title: '', value: (label) => label, paint: style.dim, minWidth: 8 },
      ...plans.map(({ name }, at) => ({
        title: printable(name),
        value: (label: string) => valuesByPlan[at]!.get(label) ?? '',
        align: 'right' as const,
      })),
    ],
    style,
    width,
  );
}

/** Returns the state of a subscription, such as "active, renews on 28 Feb 2030"; null without a subscription. */
export function subscriptionState(subscription: Subscription): string | null {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, pendingPlan } = subscription;
  if (status === 'none') return null;
  const state = status.replace('_', ' ');
  if (status === 'canceled' || currentPeriodEnd === null) return state;
  const date = dateOf(currentPeriodEnd);
  if (cancelAtPeriodEnd) return `${state}, ends on ${date}`;
  if (pendingPlan !== null) return `${state}, changes to ${printable(pendingPlan)} on ${date}`;
  return status === 'active' ? `${state}, renews on ${date}` : state;
}
