/** JetStream errors that this broker returns: HTTP-like code, err_code and text (from nats-server's errors.json). */
const catalog = {
  badRequest: [400, 10003, 'bad request'],
  consumerCreate: [500, 10012, '{}'],
  consumerNotFound: [404, 10014, 'consumer not found'],
  durableNameMismatch: [400, 10017, 'consumer name in subject does not match durable name in request'],
  durableNameNotSet: [400, 10018, 'consumer expected to be durable but a durable name was not set'],
  ephemeralWithDurable: [400, 10020, 'consumer expected to be ephemeral but a durable name was set in request'],
  invalidJson: [400, 10025, 'invalid JSON: {}'],
  maximumConsumers: [400, 10026, 'maximum consumers limit reached'],
  noMessageFound: [404, 10037, 'no message found'],
  sequenceNotFound: [400, 10043, 'sequence {} not found'],
  streamInvalidConfig: [500, 10052, '{}'],
  messageTooLarge: [400, 10054, 'message size exceeds maximum allowed'],
  streamMismatch: [400, 10056, 'stream name in subject does not match request'],
  messageDelete: [500, 10057, '{}'],
  streamNameInUse: [400, 10058, 'stream name already in use with a different configuration'],
  streamNotFound: [404, 10059, 'stream not found'],
  streamNotMatch: [400, 10060, 'expected stream does not match'],
  subjectOverlap: [400, 10065, 'subjects overlap with an existing stream'],
  wrongLastMsgId: [400, 10070, 'wrong last msg ID: {}'],
  wrongLastSequence: [400, 10071, 'wrong last sequence: {}'],
  replicasNotSupported: [500, 10074, 'replicas > 1 not supported in non-clustered mode'],
  storeFailed: [503, 10077, '{}'],
  consumerConfigRequired: [400, 10078, 'consumer config required'],
  pullRequiresAck: [400, 10084, 'consumer in pull mode requires explicit ack policy on workqueue stream'],
  filterNotSubset: [400, 10093, 'consumer filter subject is not a valid subset of the interest subjects'],
  invalidPolicy: [400, 10094, '{}'],
  headerTooLarge: [400, 10097, 'header size exceeds maximum allowed of 64k'],
  workQueueUnfiltered: [400, 10099, 'multiple non-filtered consumers not allowed on workqueue stream'],
  workQueueNotUnique: [400, 10100, 'filtered consumer not unique on workqueue stream'],
  workQueueDeliverAll: [400, 10101, 'consumer must be deliver all on workqueue stream'],
  consumerNameTooLong: [400, 10102, 'consumer name is too long, maximum allowed is {}'],
  purgeFailed: [500, 10110, '{}'],
  maxRequestExpires: [400, 10115, 'consumer max request expires needs to be >= 1ms'],
  maxDeliverBackoff: [400, 10116, 'max deliver is required to be > length of backoff values'],
  filterMismatch: [400, 10131, 'Consumer create request did not match filtered subject from create subject'],
  durableAndName: [400, 10132, 'Consumer Durable and Name have to be equal if both are provided'],
  duplicateFilters: [400, 10136, 'consumer cannot have both FilterSubject and FilterSubjects specified'],
  multipleFilters: [400, 10137, 'consumer with multiple subject filters cannot use subject based API'],
  overlappingFilters: [400, 10138, 'consumer subject filters cannot overlap'],
  emptyFilter: [400, 10139, 'consumer filter in FilterSubjects cannot be empty'],
  consumerExists: [400, 10148, 'consumer already exists'],
  consumerDoesNotExist: [400, 10149, 'consumer does not exist'],
  ackWaitNegative: [400, 10183, 'consumer ack wait needs to be positive'],
  backoffNegative: [400, 10184, 'consumer backoff needs to be positive'],
} as const satisfies Record<string, readonly [number, number, string]>;

export type ErrorName = keyof typeof catalog;

/** The `error` property of an API response or a publish acknowledgement. */
export interface ApiError {
  code: number;
  err_code: number;
  description: string;
}

/** A rejected request. Converted to JetStream's error format in the response. */
export class JetStreamError extends Error {
  readonly api: ApiError;

  /** `detail` replaces the placeholder in the text. */
  constructor(
    readonly kind: ErrorName,
    detail: string | number = '',
  ) {
    const [code, errCode, text] = catalog[kind];
    const description = text.replace('{}', String(detail));
    super(description);
    this.api = { code, err_code: errCode, description };
  }
}

/** Returns the error for a JetStream feature that this broker does not support. */
export const unsupported = (what: string): JetStreamError =>
  new JetStreamError('streamInvalidConfig', `${what} is not supported by the embedded broker`);
