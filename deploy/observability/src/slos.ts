/** A service level objective: a minimum ratio of good events. Alerts measure the ratio of bad events. */
export interface Slo {
  /** Part of the names of its recording rules, such as `tautan:<id>:ratio_rate5m`. */
  id: string;
  alert: string;
  /** Minimum ratio of good events. */
  objective: number;
  /** Returns the PromQL of the ratio of bad events over a window. */
  badRatio: (window: string) => string;
  summary: string;
}

const shareOf = (part: string, all: string): string => `sum(${part}) / sum(${all})`;
const slowerThan =
  (metric: string, seconds: number) =>
  (window: string): string =>
    `1 - ${shareOf(`rate(${metric}_bucket{le="${seconds}"}[${window}])`, `rate(${metric}_count[${window}])`)}`;

export const slos: Slo[] = [
  {
    id: 'redirect_errors',
    alert: 'TautanRedirectErrors',
    objective: 0.9999,
    badRatio: (window) =>
      shareOf(
        `rate(tautan_redirects_total{result=~"error|unavailable"}[${window}])`,
        `rate(tautan_redirects_total[${window}])`,
      ),
    summary: 'Visitors get errors instead of redirects (objective 99.99%).',
  },
  {
    id: 'redirect_latency',
    alert: 'TautanRedirectLatency',
    objective: 0.99,
    badRatio: slowerThan('tautan_redirect_duration_seconds', 0.01),
    summary: 'Redirects take longer than 10 ms (objective: p99 within 10 ms).',
  },
  {
    id: 'api_errors',
    alert: 'TautanApiErrors',
    objective: 0.999,
    // The ratio is 0 until a series with 5xx exists. Requests for operations that this installation does not offer
    // (NOT_CONFIGURED) do not count as failures.
    badRatio: (window) =>
      `(sum(rate(tautan_http_request_duration_seconds_count{status=~"5..",code!="NOT_CONFIGURED"}[${window}])) or vector(0)) / sum(rate(tautan_http_request_duration_seconds_count[${window}]))`,
    summary: 'API requests fail with 5xx (objective 99.9%).',
  },
  {
    id: 'click_lag',
    alert: 'TautanClickLag',
    objective: 0.99,
    badRatio: slowerThan('tautan_click_lag_seconds', 5),
    summary: 'Clicks appear in statistics after more than 5 s (objective: 99% within 5 s).',
  },
  {
    id: 'webhook_delay',
    alert: 'TautanWebhookDelay',
    objective: 0.99,
    badRatio: slowerThan('tautan_webhook_first_attempt_delay_seconds', 10),
    summary: 'Webhooks are first attempted after more than 10 s (objective: 99% within 10 s).',
  },
];

/**
 * Burn rates from chapter 5 of Google's SRE workbook, for objectives over 30 days. Each has a long and a short window,
 * so that an alert resolves soon after its cause is gone.
 */
export const burnRates = [
  { severity: 'page', factor: 14.4, long: '1h', short: '5m' },
  { severity: 'page', factor: 6, long: '6h', short: '30m' },
  { severity: 'ticket', factor: 1, long: '3d', short: '6h' },
] as const;

export const windows = ['5m', '30m', '1h', '6h', '3d'] as const;
