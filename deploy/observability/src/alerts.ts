import { containerProcesses } from '@tautan/proto/services';

/** An input series for promtool: `name{labels}`, and values in promtool's notation, one every two minutes. */
export type Series = [series: string, values: string];

/** Test series for which an alert fires, and the labels with which it fires. */
export interface Firing {
  series: Series[];
  labels: Record<string, string>;
}

/**
 * An alert other than those of the service level objectives: on the cause of a problem, or on a condition that needs
 * attention before users are affected.
 */
export interface Alert {
  name: string;
  expr: string;
  /** Minimum duration of the condition. */
  for: string;
  severity: 'page' | 'ticket';
  summary: string;
  /** One or several cases in which the alert is firing when the test checks it: after 118 minutes, or later. */
  fires: Firing | Firing[];
  /** Test series for which the alert does not fire. */
  quiet: Series[];
}

const services = [...containerProcesses].sort();
const webhooksLabel = { service: 'webhooks' };
const linksLabel = { service: 'links' };
const always = (value: number): string => `${value}x60`;
/** The series of a scraped process of the link service, of any role. */
const scrapedLinks: Series = ['process_start_time_seconds{service="links"}', always(1)];

/**
 * Returns the PromQL query for certificates that expire within `seconds`. The first metric covers the certificate
 * files of each kind of connection (label `use`), the second the certificates that gRPC has loaded (label `file`). The
 * two differ while the process refuses a new file.
 */
const expiresWithin = (seconds: string): string =>
  [
    'min by (service, use) (tautan_certificate_expiry_timestamp_seconds)',
    'min by (service, file) (tautan_rpc_certificate_expiry_timestamp_seconds)',
  ]
    .map((expiry) => `${expiry} - time() < ${seconds}`)
    .join(' or ');

const expiries: { series: string; labels: Record<string, string> }[] = [
  { series: 'tautan_certificate_expiry_timestamp_seconds{service="webhooks",use="rpc"}', labels: { use: 'rpc' } },
  {
    series: 'tautan_rpc_certificate_expiry_timestamp_seconds{service="webhooks",file="cert"}',
    labels: { file: 'cert' },
  },
  { series: 'tautan_rpc_certificate_expiry_timestamp_seconds{service="webhooks",file="ca"}', labels: { file: 'ca' } },
];
const allExpireAt = (time: number): Series[] => expiries.map(({ series }) => [series, always(time)]);
const eachExpiresAt = (time: number): Firing[] =>
  expiries.map(({ series, labels }) => ({
    series: [[series, always(time)]],
    labels: { ...webhooksLabel, ...labels },
  }));

export const alerts: Alert[] = [
  {
    name: 'TautanConnectionLost',
    expr: 'min by (service, connection) (tautan_connection_up) == 0',
    for: '5m',
    severity: 'ticket',
    summary: 'A process has no connection to MongoDB, NATS or Redis.',
    fires: {
      series: [
        ['tautan_connection_up{service="webhooks",connection="nats",pod="a"}', always(1)],
        ['tautan_connection_up{service="webhooks",connection="nats",pod="b"}', always(0)],
      ],
      labels: { ...webhooksLabel, connection: 'nats' },
    },
    quiet: [['tautan_connection_up{service="webhooks",connection="nats"}', '1x58 0 0']],
  },
  {
    name: 'TautanOutboxStuck',
    expr: 'max by (service) (tautan_outbox_oldest_event_age_seconds) > 60',
    for: '5m',
    severity: 'page',
    summary: 'Events do not reach the stream: webhooks, audit entries and counts are delayed.',
    fires: {
      series: [['tautan_outbox_oldest_event_age_seconds{service="webhooks"}', '0+60x60']],
      labels: webhooksLabel,
    },
    quiet: [['tautan_outbox_oldest_event_age_seconds{service="webhooks"}', always(20)]],
  },
  {
    name: 'TautanConsumerLagging',
    expr: 'max by (service, durable) (tautan_consumer_pending_messages) > 1000',
    for: '10m',
    severity: 'ticket',
    summary: 'A consumer is far behind its stream.',
    fires: {
      series: [['tautan_consumer_pending_messages{service="webhooks",durable="webhooks"}', always(5_000)]],
      labels: { ...webhooksLabel, durable: 'webhooks' },
    },
    quiet: [['tautan_consumer_pending_messages{service="webhooks",durable="webhooks"}', '5000x55 0x5']],
  },
  {
    name: 'TautanDeadLetters',
    expr: 'max by (service) (tautan_dead_letters) > 0',
    for: '1m',
    severity: 'ticket',
    summary: 'Messages could not be processed and were dead-lettered.',
    fires: { series: [['tautan_dead_letters{service="webhooks"}', always(2)]], labels: webhooksLabel },
    quiet: [['tautan_dead_letters{service="webhooks"}', always(0)]],
  },
  {
    name: 'TautanClicksDropped',
    expr: 'sum(increase(tautan_clicks_dropped_total[10m])) > 0',
    for: '0m',
    severity: 'page',
    summary: 'Clicks are lost, usually because neither NATS nor the disk accepts them.',
    fires: { series: [['tautan_clicks_dropped_total{service="links"}', '0x55 0+5x5']], labels: {} },
    quiet: [['tautan_clicks_dropped_total{service="links"}', always(7)]],
  },
  {
    name: 'TautanClicksOnDisk',
    expr: 'max by (service) (tautan_click_spill_files) > 0',
    for: '15m',
    severity: 'ticket',
    summary: 'Clicks wait on the disk of redirect pods, because NATS does not accept them.',
    fires: { series: [['tautan_click_spill_files{service="links"}', always(3)]], labels: { service: 'links' } },
    quiet: [['tautan_click_spill_files{service="links"}', '3x55 0x5']],
  },
  {
    name: 'TautanWebhookBacklog',
    expr: 'max(tautan_webhook_queue_lag_seconds) > 300',
    for: '10m',
    severity: 'ticket',
    summary: 'Due webhook deliveries wait for more than five minutes.',
    fires: { series: [['tautan_webhook_queue_lag_seconds{service="webhooks"}', '0+60x60']], labels: {} },
    quiet: [['tautan_webhook_queue_lag_seconds{service="webhooks"}', always(30)]],
  },
  {
    name: 'TautanCircuitBreakerOpen',
    expr: 'max by (service, peer) (tautan_circuit_breaker_open) == 1',
    for: '5m',
    severity: 'ticket',
    summary: 'Calls to a service or provider fail fast after repeated failures.',
    fires: {
      series: [['tautan_circuit_breaker_open{service="gateway",peer="links",rpc_service="Tags"}', always(1)]],
      labels: { service: 'gateway', peer: 'links' },
    },
    quiet: [['tautan_circuit_breaker_open{service="gateway",peer="links",rpc_service="Tags"}', '1x58 0 0']],
  },
  {
    name: 'TautanEventLoopLag',
    expr: 'max by (service) (nodejs_eventloop_lag_p99_seconds) > 0.25',
    for: '10m',
    severity: 'ticket',
    summary: 'A process is overloaded.',
    fires: { series: [['nodejs_eventloop_lag_p99_seconds{service="webhooks"}', always(0.5)]], labels: webhooksLabel },
    quiet: [['nodejs_eventloop_lag_p99_seconds{service="webhooks"}', always(0.02)]],
  },
  {
    name: 'TautanUsageDrift',
    expr: 'max by (service, limit) (tautan_usage_drift) > 0',
    for: '2h',
    severity: 'ticket',
    summary: 'Counters of plan limits differ from the actual numbers.',
    fires: {
      series: [['tautan_usage_drift{service="webhooks",limit="webhookEndpoints"}', '1x90']],
      labels: { ...webhooksLabel, limit: 'webhookEndpoints' },
    },
    quiet: [['tautan_usage_drift{service="webhooks",limit="webhookEndpoints"}', '1x30 0x60']],
  },
  {
    name: 'TautanLogLinesDropped',
    expr: 'sum by (service) (increase(tautan_log_lines_dropped_total[10m])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: 'Log lines are lost, because the disk or the log collector does not accept them.',
    fires: { series: [['tautan_log_lines_dropped_total{service="webhooks"}', '0+5x60']], labels: webhooksLabel },
    quiet: [['tautan_log_lines_dropped_total{service="webhooks"}', always(7)]],
  },
  {
    name: 'TautanCertificateExpiring',
    expr: expiresWithin('7 * 86400'),
    for: '15m',
    severity: 'ticket',
    summary:
      'A certificate for gRPC, NATS or Redis connections expires within a week, or all certificate authorities for gRPC do, or a certificate file cannot be read.',
    fires: eachExpiresAt(300_000),
    quiet: allExpireAt(900_000),
  },
  {
    name: 'TautanCertificateExpiresNow',
    expr: expiresWithin('86400'),
    for: '5m',
    severity: 'page',
    summary:
      'A certificate for gRPC, NATS or Redis connections expires within a day, or all certificate authorities for gRPC do, or a certificate file cannot be read.',
    fires: eachExpiresAt(0),
    quiet: allExpireAt(300_000),
  },
  {
    name: 'TautanCustomDomainFailing',
    expr: 'max(tautan_custom_domain_failing_age_seconds) > 5 * 86400',
    for: '15m',
    severity: 'ticket',
    summary: 'A custom domain will be disabled within two days, because its DNS records are wrong.',
    fires: { series: [['tautan_custom_domain_failing_age_seconds{service="links"}', always(500_000)]], labels: {} },
    quiet: [['tautan_custom_domain_failing_age_seconds{service="links"}', always(90_000)]],
  },
  {
    name: 'TautanServiceMissing',
    expr: services.map((service) => `absent(process_start_time_seconds{service="${service}"})`).join(' or '),
    for: '5m',
    severity: 'page',
    summary: 'No process of a service is being scraped.',
    fires: {
      series: services
        .filter((name) => name !== 'webhooks')
        .map((service): Series => [`process_start_time_seconds{service="${service}"}`, always(1)]),
      labels: webhooksLabel,
    },
    quiet: services.map((service): Series => [`process_start_time_seconds{service="${service}"}`, always(1)]),
  },
  // The three workloads of the link service have the same label `service`, so TautanServiceMissing cannot tell whether
  // one of them is gone. Each of the next two alerts uses a metric that only one role exports. The series
  // of the metric exist from the start of the process.
  {
    name: 'TautanRedirectsMissing',
    expr: 'absent(tautan_redirects_total{service="links"})',
    for: '5m',
    severity: 'page',
    summary: 'No process that serves redirects is being scraped.',
    fires: { series: [scrapedLinks], labels: linksLabel },
    quiet: [scrapedLinks, ['tautan_redirects_total{service="links",result="redirect"}', always(0)]],
  },
  {
    name: 'TautanStatsMissing',
    expr: 'absent(tautan_stats_batches_total{service="links"})',
    for: '5m',
    severity: 'page',
    summary: 'No process that counts clicks is being scraped.',
    fires: { series: [scrapedLinks], labels: linksLabel },
    quiet: [scrapedLinks, ['tautan_stats_batches_total{service="links",outcome="applied"}', always(0)]],
  },
];
