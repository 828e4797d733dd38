import { collide, isSubset, isValidSubject } from '../routing/subject.js';
import { JetStreamError, unsupported } from './errors.js';
import { pickFields, type Fields } from './fields.js';

/**
 * Complete configuration of a stream. Durations are in nanoseconds. -1 means no limit, except for `max_age`, where 0
 * means no limit.
 */
export interface StreamConfig {
  name: string;
  description?: string;
  subjects: string[];
  retention: 'limits' | 'interest' | 'workqueue';
  max_consumers: number;
  max_msgs: number;
  max_bytes: number;
  max_age: number;
  max_msgs_per_subject: number;
  max_msg_size: number;
  discard: 'old' | 'new';
  storage: 'file';
  num_replicas: 1;
  no_ack?: boolean;
  duplicate_window: number;
  compression: 'none';
  first_seq?: number;
  allow_direct: boolean;
  mirror_direct: false;
  discard_new_per_subject?: boolean;
  sealed: false;
  deny_delete: boolean;
  deny_purge: boolean;
  allow_rollup_hdrs: false;
  consumer_limits: Record<string, never>;
  metadata?: Record<string, string>;
}

const fieldTypes = {
  name: 'string',
  description: 'string',
  subjects: 'string[]',
  retention: 'string',
  max_consumers: 'integer',
  max_msgs: 'integer',
  max_bytes: 'integer',
  max_age: 'integer',
  max_msgs_per_subject: 'integer',
  max_msg_size: 'integer',
  discard: 'string',
  storage: 'string',
  num_replicas: 'integer',
  no_ack: 'boolean',
  duplicate_window: 'integer',
  compression: 'string',
  first_seq: 'integer',
  allow_direct: 'boolean',
  discard_new_per_subject: 'boolean',
  deny_delete: 'boolean',
  deny_purge: 'boolean',
  metadata: 'object',
} as const;

const unsupportedFields = [
  ...['mirror', 'sources', 'republish', 'subject_transform', 'placement', 'consumer_limits', 'mirror_direct', 'sealed'],
  ...['allow_rollup_hdrs', 'allow_msg_ttl', 'subject_delete_marker_ttl', 'allow_msg_counter', 'allow_atomic'],
  ...['allow_msg_schedules', 'persist_mode', 'allow_batched', 'template_owner'],
];

const millisecond = 1e6;
const defaultDuplicateWindow = 120e9;
/** Returns the error for an invalid configuration. Texts of nats-server are unchanged, including their mistakes. */
const invalid = (why: string): JetStreamError => new JetStreamError('streamInvalidConfig', why);

/** Returns whether a name is valid for a stream or consumer. */
export const isValidName = (name: string): boolean => name !== '' && !/[.*>\\/\s]/.test(name);

/**
 * Validates a requested configuration and applies nats-server's defaults. Throws JetStreamError if the configuration is
 * invalid or uses an option that this broker does not support.
 */
export function streamConfig(given: Fields): StreamConfig {
  const fields = pickFields(given, fieldTypes, unsupported, unsupportedFields) as Partial<StreamConfig>;
  const name = fields.name ?? '';
  if (!isValidName(name)) throw invalid(`stream name is required and can not contain '.', '*', '>', '\\', '/'`);
  if (name.length > 255) throw invalid('stream name is too long, maximum allowed is 255');
  refuseUnsupported(fields);
  const limit = (value: number | undefined): number => (value === undefined || value < 1 ? -1 : value);
  const age = fields.max_age ?? 0;
  const config: StreamConfig = {
    ...fields,
    name,
    subjects: fields.subjects?.length ? fields.subjects : [name],
    retention: oneOf('retention', fields.retention ?? 'limits', ['limits', 'interest', 'workqueue']),
    max_consumers: limit(fields.max_consumers),
    max_msgs: limit(fields.max_msgs),
    max_bytes: limit(fields.max_bytes),
    max_age: age,
    max_msgs_per_subject: limit(fields.max_msgs_per_subject),
    max_msg_size: limit(fields.max_msg_size),
    discard: oneOf('discard policy', fields.discard ?? 'old', ['old', 'new']),
    storage: 'file',
    num_replicas: 1,
    duplicate_window:
      fields.duplicate_window || (age > 0 ? Math.min(age, defaultDuplicateWindow) : defaultDuplicateWindow),
    compression: 'none',
    allow_direct: fields.allow_direct ?? false,
    mirror_direct: false,
    sealed: false,
    deny_delete: fields.deny_delete ?? false,
    deny_purge: fields.deny_purge ?? false,
    allow_rollup_hdrs: false,
    consumer_limits: {},
  };
  checkTimes(config);
  checkSubjects(config);
  checkDiscard(config);
  return config;
}

/** Checks that a stream can be updated from one configuration to another. Throws JetStreamError. */
export function checkStreamUpdate(from: StreamConfig, to: StreamConfig): void {
  if (to.retention !== from.retention && (to.retention === 'workqueue' || from.retention === 'workqueue')) {
    throw invalid('stream configuration update can not change retention policy to/from workqueue');
  }
  if (from.deny_delete && !to.deny_delete) {
    throw invalid('stream configuration update can not cancel deny message deletes');
  }
  if (from.deny_purge && !to.deny_purge) throw invalid('stream configuration update can not cancel deny purge');
}

function refuseUnsupported({ storage = 'file', num_replicas: replicas = 1, compression = 'none' }: Fields): void {
  if (storage !== 'file') throw unsupported(`storage ${JSON.stringify(storage)}`);
  if (compression !== 'none' && compression !== '') throw unsupported(`compression ${JSON.stringify(compression)}`);
  if ((replicas as number) > 1) throw new JetStreamError('replicasNotSupported');
}

function oneOf<T extends string>(what: string, value: T, allowed: readonly T[]): T {
  if (!allowed.includes(value)) throw invalid(`invalid ${what}`);
  return value;
}

function checkTimes({ max_age: age, duplicate_window: window }: StreamConfig): void {
  if (age < 0) throw invalid('max age can not be negative');
  if (age !== 0 && age < 100 * millisecond) throw invalid('max age needs to be >= 100ms');
  if (window < 0) throw invalid('duplicates window can not be negative');
  if (age !== 0 && window > age) throw invalid('duplicates window can not be larger then max age');
  if (window < 100 * millisecond) throw invalid('duplicates window needs to be >= 100ms');
}

function checkSubjects({ subjects, no_ack: noAck }: StreamConfig): void {
  for (const [n, subject] of subjects.entries()) {
    if (!isValidSubject(subject)) throw invalid('invalid subject');
    if (!noAck && collide(subject, '$JS.>') && !isSubset(subject, '$JS.EVENT.>'))
      throw invalid('subjects that overlap with jetstream api require no-ack to be true');
    if (subjects.indexOf(subject) !== n) throw invalid('duplicate subjects detected');
    if (subjects.some((other, m) => m !== n && collide(subject, other))) {
      throw invalid(`subject "${subject}" overlaps with another subject of the stream`);
    }
  }
}

function checkDiscard({
  discard,
  discard_new_per_subject: perSubject,
  max_msgs_per_subject: limit,
}: StreamConfig): void {
  if (!perSubject) return;
  if (discard !== 'new') throw invalid('discard new per subject requires discard new policy to be set');
  if (limit < 1) throw invalid('discard new per subject requires max msgs per subject > 0');
}
