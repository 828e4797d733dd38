import { collide, isSubset, isValidSubject } from '../routing/subject.js';
import { JetStreamError, unsupported } from './errors.js';
import { pickFields, type Fields } from './fields.js';
import { isValidName, type StreamConfig } from './stream-config.js';

type DeliverPolicy = 'all' | 'last' | 'new' | 'by_start_sequence' | 'by_start_time' | 'last_per_subject';

/** Complete configuration of a pull consumer. Durations are in nanoseconds; -1 means no limit. */
export interface ConsumerConfig {
  durable_name?: string;
  name?: string;
  description?: string;
  deliver_policy: DeliverPolicy;
  opt_start_seq?: number;
  opt_start_time?: string;
  ack_policy: 'explicit' | 'none';
  ack_wait: number;
  max_deliver: number;
  backoff?: number[];
  filter_subject?: string;
  filter_subjects?: string[];
  replay_policy: 'instant';
  max_waiting: number;
  max_ack_pending: number;
  max_batch?: number;
  max_expires?: number;
  max_bytes?: number;
  inactive_threshold?: number;
  num_replicas: number;
  mem_storage?: boolean;
  metadata?: Record<string, string>;
}

const fieldTypes = {
  durable_name: 'string',
  name: 'string',
  description: 'string',
  deliver_policy: 'string',
  opt_start_seq: 'integer',
  opt_start_time: 'string',
  ack_policy: 'string',
  ack_wait: 'integer',
  max_deliver: 'integer',
  backoff: 'integer[]',
  filter_subject: 'string',
  filter_subjects: 'string[]',
  replay_policy: 'string',
  max_waiting: 'integer',
  max_ack_pending: 'integer',
  max_batch: 'integer',
  max_expires: 'integer',
  max_bytes: 'integer',
  inactive_threshold: 'integer',
  num_replicas: 'integer',
  mem_storage: 'boolean',
  metadata: 'object',
} as const;

const unsupportedFields = [
  ...['deliver_subject', 'deliver_group', 'flow_control', 'idle_heartbeat', 'rate_limit_bps', 'sample_freq'],
  ...['headers_only', 'direct', 'sourcing', 'pause_until', 'priority_groups', 'priority_policy', 'priority_timeout'],
];

const deliverPolicies: readonly string[] = [
  'all',
  'last',
  'new',
  'by_start_sequence',
  'by_start_time',
  'last_per_subject',
];
const defaultAckWait = 30e9;
const defaultInactiveThreshold = 5e9;

const refuse = (field: string): JetStreamError =>
  field === 'deliver_subject' ? unsupported('a push consumer') : unsupported(field);

/** Returns the filter subjects of a consumer. An empty list matches the whole stream. */
export const filtersOf = (config: ConsumerConfig): string[] =>
  config.filter_subject ? [config.filter_subject] : (config.filter_subjects ?? []);

/**
 * Validates a requested configuration and applies nats-server's defaults. Throws JetStreamError if it is invalid or
 * has options that this broker does not support.
 */
export function consumerConfig(given: Fields, stream: StreamConfig): ConsumerConfig {
  const fields = pickFields(given, fieldTypes, refuse, unsupportedFields) as Partial<ConsumerConfig>;
  const durable = Boolean(fields.durable_name);
  const ackPolicy = fields.ack_policy ?? 'none';
  const ackWait = fields.backoff?.[0] ?? fields.ack_wait;
  const config: ConsumerConfig = {
    ...fields,
    deliver_policy: fields.deliver_policy ?? 'all',
    ack_policy: ackPolicy,
    ack_wait: ackWait || (ackPolicy === 'explicit' ? defaultAckWait : 0),
    max_deliver: !fields.max_deliver || fields.max_deliver < -1 ? -1 : fields.max_deliver,
    replay_policy: 'instant',
    max_waiting: fields.max_waiting && fields.max_waiting > 0 ? fields.max_waiting : 512,
    max_ack_pending: fields.max_ack_pending || (ackPolicy === 'none' ? 0 : 1000),
    num_replicas: fields.num_replicas ?? 0,
  };
  if (!durable && !config.inactive_threshold) config.inactive_threshold = defaultInactiveThreshold;
  checkNames(config);
  checkPolicies(config, fields.replay_policy, stream);
  checkTimes(config);
  checkFilters(config, stream);
  checkStart(config);
  return config;
}

/** Checks that a consumer can be updated from one configuration to another. Throws JetStreamError. */
export function checkConsumerUpdate(from: ConsumerConfig, to: ConsumerConfig): void {
  const fixed = {
    deliver_policy: 'deliver policy',
    opt_start_seq: 'start sequence',
    opt_start_time: 'start time',
    ack_policy: 'ack policy',
    replay_policy: 'replay policy',
    max_waiting: 'max waiting',
    mem_storage: 'storage type',
  } as const;
  for (const [field, text] of Object.entries(fixed)) {
    const name = field as keyof typeof fixed;
    if ((from[name] || undefined) !== (to[name] || undefined)) {
      throw new JetStreamError('consumerCreate', `${text} can not be updated`);
    }
  }
}

function checkNames({ name, durable_name: durable, num_replicas: replicas }: ConsumerConfig): void {
  const rule = `can not contain '.', '*', '>', '\\', '/'`;
  if (name && !isValidName(name)) throw new JetStreamError('streamInvalidConfig', `consumer name ${rule}`);
  if (durable && !isValidName(durable))
    throw new JetStreamError('streamInvalidConfig', `consumer durable name ${rule}`);
  if (name && durable && name !== durable) throw new JetStreamError('durableAndName');
  if ((durable ?? name ?? '').length > 255) throw new JetStreamError('consumerNameTooLong', 255);
  if (replicas > 1) throw new JetStreamError('replicasNotSupported');
}

function checkPolicies(config: ConsumerConfig, replay: string | undefined, stream: StreamConfig): void {
  if (config.ack_policy !== 'explicit' && config.ack_policy !== 'none') throw unsupported('this ack policy');
  if (replay !== undefined && replay !== 'instant') throw unsupported('this replay policy');
  if (!deliverPolicies.includes(config.deliver_policy))
    throw new JetStreamError('invalidPolicy', 'unknown deliver policy');
  if (stream.retention !== 'workqueue') return;
  if (config.ack_policy === 'none') throw new JetStreamError('pullRequiresAck');
  if (config.deliver_policy !== 'all') throw new JetStreamError('workQueueDeliverAll');
}

function checkTimes({
  backoff = [],
  ack_wait: ackWait,
  max_deliver: maxDeliver,
  max_expires: expires,
}: ConsumerConfig): void {
  if (backoff.some((time) => time < 0)) throw new JetStreamError('backoffNegative');
  if (ackWait < 0) throw new JetStreamError('ackWaitNegative');
  if (maxDeliver !== -1 && backoff.length > maxDeliver) throw new JetStreamError('maxDeliverBackoff');
  if (expires && expires < 1e6) throw new JetStreamError('maxRequestExpires');
}

function checkFilters(config: ConsumerConfig, stream: StreamConfig): void {
  if (config.filter_subject && config.filter_subjects?.length) throw new JetStreamError('duplicateFilters');
  const filters = filtersOf(config);
  if (filters.includes('')) throw new JetStreamError('emptyFilter');
  for (const [n, filter] of filters.entries()) {
    if (!isValidSubject(filter)) throw new JetStreamError('streamInvalidConfig', 'invalid subject');
    if (filters.some((other, m) => m !== n && isSubset(filter, other))) throw new JetStreamError('overlappingFilters');
    if (!stream.subjects.some((subject) => collide(filter, subject))) {
      throw new JetStreamError('filterNotSubset');
    }
  }
}

function checkStart(config: ConsumerConfig): void {
  const { deliver_policy: policy, opt_start_seq: seq, opt_start_time: time } = config;
  const fail = (why: string): never => {
    throw new JetStreamError(
      'invalidPolicy',
      `consumer delivery policy is deliver ${policy.replaceAll('_', ' ')}, but ${why}`,
    );
  };
  if (policy === 'by_start_sequence' ? !seq : seq) fail(`optional start sequence is ${seq ? 'also' : 'not'} set`);
  if (policy === 'by_start_time' ? !time : time) fail(`optional start time is ${time ? 'also' : 'not'} set`);
  if (time && Number.isNaN(Date.parse(time)))
    throw new JetStreamError('invalidJson', 'opt_start_time is not a valid time');
  if (policy === 'last_per_subject' && filtersOf(config).length === 0) fail('optional filter subject is not set');
}
