import { slos } from './slos.js';

/** A time series panel of a dashboard. */
interface Panel {
  title: string;
  /** Grafana unit. */
  unit: 's' | 'reqps' | 'percentunit' | 'short' | 'bytes' | 'ops';
  /** PromQL queries, keyed by legend. */
  queries: Record<string, string>;
}

interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
}

const quantile = (q: number, metric: string, by = ''): string =>
  `histogram_quantile(${q}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket[$__rate_interval])))`;
const percentiles = (metric: string): Record<string, string> => ({
  p50: quantile(0.5, metric),
  p99: quantile(0.99, metric),
});
const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
const total = (metric: string): string => `sum(rate(${metric}[$__rate_interval]))`;

export const dashboards: Dashboard[] = [
  {
    uid: 'tautan-overview',
    title: 'Tautan: overview',
    panels: [
      ...slos.map(({ id, alert, objective }): Panel => ({
        title: `${alert
          .replace(/^Tautan/, '')
          .replace(/([a-z])([A-Z])/g, '$1 $2')
          .replace('Api', 'API')}: burn rate of the error budget (1 = used up in 30 days)`,
        unit: 'short',
        queries: Object.fromEntries(
          ['1h', '6h', '3d'].map((window) => [
            window,
            `tautan:${id}:ratio_rate${window} / ${Number((1 - objective).toFixed(6))}`,
          ]),
        ),
      })),
      { title: 'Redirects', unit: 'reqps', queries: { '{{result}}': rate('tautan_redirects_total', 'result') } },
      {
        title: 'API requests',
        unit: 'reqps',
        queries: { '{{status}}': rate('tautan_http_request_duration_seconds_count', 'status') },
      },
      {
        title: 'Connections',
        unit: 'short',
        queries: { '{{service}} to {{connection}}': 'min by (service, connection) (tautan_connection_up)' },
      },
      { title: 'Dead letters', unit: 'short', queries: { '{{service}}': 'max by (service) (tautan_dead_letters)' } },
    ],
  },
  {
    uid: 'tautan-redirects',
    title: 'Tautan: redirects and clicks',
    panels: [
      {
        title: 'Redirects by outcome',
        unit: 'reqps',
        queries: { '{{result}}': rate('tautan_redirects_total', 'result') },
      },
      { title: 'Duration', unit: 's', queries: percentiles('tautan_redirect_duration_seconds') },
      {
        title: 'Cache hits',
        unit: 'percentunit',
        queries: {
          hits: `sum(rate(tautan_redirect_cache_lookups_total{result="hit"}[$__rate_interval])) / ${total('tautan_redirect_cache_lookups_total')}`,
        },
      },
      { title: 'Cache entries', unit: 'short', queries: { entries: 'max(tautan_redirect_cache_entries)' } },
      {
        title: 'Clicks',
        unit: 'ops',
        queries: {
          recorded: total('tautan_clicks_recorded_total'),
          published: total('tautan_clicks_published_total'),
          applied: total('tautan_clicks_applied_total'),
          spilled: total('tautan_clicks_spilled_total'),
          dropped: total('tautan_clicks_dropped_total'),
        },
      },
      {
        title: 'Time until a click appears in statistics',
        unit: 's',
        queries: percentiles('tautan_click_lag_seconds'),
      },
      { title: 'Spill files on disk', unit: 'short', queries: { files: 'sum(tautan_click_spill_files)' } },
      {
        title: 'Messages waiting in the streams',
        unit: 'short',
        queries: { '{{durable}}': 'max by (durable) (tautan_consumer_pending_messages{service="links"})' },
      },
    ],
  },
  {
    uid: 'tautan-api',
    title: 'Tautan: API and RPC',
    panels: [
      {
        title: 'Requests by route',
        unit: 'reqps',
        queries: { '{{method}} {{route}}': rate('tautan_http_request_duration_seconds_count', 'method, route') },
      },
      {
        title: 'Errors by code',
        unit: 'reqps',
        queries: {
          '{{code}}': 'sum by (code) (rate(tautan_http_request_duration_seconds_count{code!="OK"}[$__rate_interval]))',
        },
      },
      {
        title: 'p99 by route',
        unit: 's',
        queries: { '{{route}}': quantile(0.99, 'tautan_http_request_duration_seconds', 'route') },
      },
      {
        title: 'RPCs by method',
        unit: 'reqps',
        queries: { '{{method}}': rate('tautan_rpc_server_duration_seconds_count', 'method') },
      },
      {
        title: 'p99 of RPCs by method',
        unit: 's',
        queries: { '{{method}}': quantile(0.99, 'tautan_rpc_server_duration_seconds', 'method') },
      },
      {
        title: 'Failed RPCs by code',
        unit: 'reqps',
        queries: {
          '{{method}} {{code}}':
            'sum by (method, code) (rate(tautan_rpc_server_duration_seconds_count{code!="OK"}[$__rate_interval]))',
        },
      },
      {
        title: 'Open circuit breakers',
        unit: 'short',
        queries: { '{{service}} to {{peer}}': 'max by (service, peer) (tautan_circuit_breaker_open)' },
      },
      {
        title: 'Requests rejected by rate limits',
        unit: 'reqps',
        queries: { '{{limit}}': rate('tautan_rate_limit_refusals_total', 'limit') },
      },
      {
        title: 'Identity provider, p99',
        unit: 's',
        queries: {
          '{{call}} {{outcome}}': quantile(0.99, 'tautan_identity_provider_request_duration_seconds', 'call, outcome'),
        },
      },
      {
        title: 'Payment provider, p99',
        unit: 's',
        queries: {
          '{{call}} {{outcome}}': quantile(0.99, 'tautan_payment_provider_request_duration_seconds', 'call, outcome'),
        },
      },
    ],
  },
  {
    uid: 'tautan-events',
    title: 'Tautan: events and webhooks',
    panels: [
      {
        title: 'Events in the outbox',
        unit: 'short',
        queries: { '{{service}}': 'max by (service) (tautan_outbox_events)' },
      },
      {
        title: 'Age of the oldest event in the outbox',
        unit: 's',
        queries: { '{{service}}': 'max by (service) (tautan_outbox_oldest_event_age_seconds)' },
      },
      {
        title: 'Messages waiting in the streams',
        unit: 'short',
        queries: { '{{durable}}': 'max by (durable) (tautan_consumer_pending_messages)' },
      },
      {
        title: 'Unacknowledged messages',
        unit: 'short',
        queries: { '{{durable}}': 'max by (durable) (tautan_consumer_unacknowledged_messages)' },
      },
      {
        title: 'Webhook attempts',
        unit: 'ops',
        queries: { '{{outcome}}': rate('tautan_webhook_attempts_total', 'outcome') },
      },
      {
        title: 'Delay of the first attempt',
        unit: 's',
        queries: percentiles('tautan_webhook_first_attempt_delay_seconds'),
      },
      { title: 'Duration of an attempt', unit: 's', queries: percentiles('tautan_webhook_attempt_duration_seconds') },
      { title: 'Pending deliveries', unit: 'short', queries: { deliveries: 'max(tautan_webhook_queue_depth)' } },
      {
        title: 'Longest wait of due deliveries',
        unit: 's',
        queries: { wait: 'max(tautan_webhook_queue_lag_seconds)' },
      },
      { title: 'Dead letters', unit: 'short', queries: { '{{service}}': 'max by (service) (tautan_dead_letters)' } },
    ],
  },
  {
    uid: 'tautan-processes',
    title: 'Tautan: processes',
    panels: [
      {
        title: 'CPU usage (cores)',
        unit: 'short',
        queries: { '{{service}}': rate('process_cpu_seconds_total', 'service') },
      },
      {
        title: 'Resident memory, largest process',
        unit: 'bytes',
        queries: { '{{service}}': 'max by (service) (process_resident_memory_bytes)' },
      },
      {
        title: 'Event loop lag, p99',
        unit: 's',
        queries: { '{{service}}': 'max by (service) (nodejs_eventloop_lag_p99_seconds)' },
      },
      {
        title: 'Garbage collection',
        unit: 'percentunit',
        queries: { '{{service}}': rate('nodejs_gc_duration_seconds_sum', 'service') },
      },
      { title: 'Open files', unit: 'short', queries: { '{{service}}': 'max by (service) (process_open_fds)' } },
      {
        title: 'Connections lost and restored',
        unit: 'short',
        queries: {
          '{{service}} {{connection}} {{change}}':
            'sum by (service, connection, change) (increase(tautan_connection_changes_total[$__rate_interval]))',
        },
      },
      {
        title: 'Time until certificates expire',
        unit: 's',
        queries: {
          '{{service}} {{use}}': 'min by (service, use) (tautan_certificate_expiry_timestamp_seconds) - time()',
          '{{service}} {{file}} in use for gRPC':
            'min by (service, file) (tautan_rpc_certificate_expiry_timestamp_seconds) - time()',
        },
      },
      {
        title: 'Custom domains with failing checks',
        unit: 'short',
        queries: { domains: 'max(tautan_custom_domains_failing)' },
      },
    ],
  },
];

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** Returns a dashboard in Grafana's JSON model, with two panels per row. */
export const toGrafana = ({ uid, title, panels }: Dashboard) => ({
  uid,
  title,
  tags: ['tautan'],
  schemaVersion: 39,
  editable: true,
  timezone: 'browser',
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source', current: {} }],
  },
  panels: panels.map((panel, i) => ({
    id: i + 1,
    type: 'timeseries',
    title: panel.title,
    datasource,
    gridPos: { h: 8, w: 12, x: (i % 2) * 12, y: Math.floor(i / 2) * 8 },
    fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: Object.entries(panel.queries).map(([legendFormat, expr], n) => ({
      refId: String.fromCharCode(65 + n),
      datasource,
      expr,
      legendFormat,
    })),
  })),
});
