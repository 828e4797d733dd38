import type { Message } from '../routing/router.js';
import { parseHeaders } from '../protocol/headers.js';
import { storedSize } from '../store/record.js';
import type { MessageStore } from '../store/message-store.js';
import { JetStreamError } from './errors.js';
import type { StreamConfig } from './stream-config.js';

const maxHeaderBytes = 65_535;
const noHeaders: ReadonlyMap<string, string> = new Map();

/**
 * Headers of unsupported features. A message with such a header is rejected, because storing the message would ignore
 * the header.
 */
const unsupportedHeaders = [
  ...['Nats-Rollup', 'Nats-TTL', 'Nats-Incr', 'Nats-Batch-Id', 'Nats-Schedule', 'Nats-Scheduler', 'Nats-Schedule-Next'],
];

/** Returns the headers of a message, or an empty map if its header block does not contain `Nats-`. */
export function publishHeaders({ header }: Message): ReadonlyMap<string, string> {
  return header?.includes('Nats-') ? parseHeaders(header) : noHeaders;
}

/**
 * Checks the publisher's expectations about the stream (`Nats-Expected-…`), except `Nats-Expected-Last-Msg-Id`. Throws
 * JetStreamError if one is not met, or if a header of an unsupported feature is present.
 */
export function checkExpectations(
  headers: ReadonlyMap<string, string>,
  subject: string,
  config: StreamConfig,
  store: MessageStore,
): void {
  const unsupported = unsupportedHeaders.find((name) => headers.has(name));
  if (unsupported) throw new JetStreamError('storeFailed', `${unsupported} is not supported by the embedded broker`);
  const stream = headers.get('Nats-Expected-Stream');
  if (stream && stream !== config.name) throw new JetStreamError('streamNotMatch');

  const lastOfSubject = headers.get('Nats-Expected-Last-Subject-Sequence');
  if (lastOfSubject !== undefined) {
    const checkedSubject = headers.get('Nats-Expected-Last-Subject-Sequence-Subject') ?? subject;
    const last = store.subjects.get(checkedSubject)?.last()?.seq ?? 0;
    if (last !== Number(lastOfSubject)) throw new JetStreamError('wrongLastSequence', last);
  }
  const last = headers.get('Nats-Expected-Last-Sequence');
  if (last !== undefined && store.lastSeq !== Number(last))
    throw new JetStreamError('wrongLastSequence', store.lastSeq);
}

/**
 * Checks the size of a message and its header. If the stream rejects new messages when it is full (`discard: new`),
 * also checks the stream's maximum numbers of messages and bytes. Throws JetStreamError.
 */
export function checkLimits({ subject, header, payload }: Message, config: StreamConfig, store: MessageStore): void {
  const size = (header?.length ?? 0) + payload.length;
  if (config.max_msg_size >= 0 && size > config.max_msg_size) throw new JetStreamError('messageTooLarge');
  if ((header?.length ?? 0) > maxHeaderBytes) throw new JetStreamError('headerTooLarge');
  if (config.discard !== 'new') return;

  const limit = config.max_msgs_per_subject;
  const ofSubject = store.subjects.get(subject);
  const subjectFull = limit > 0 && (ofSubject?.live ?? 0) >= limit;
  const refuse = (why: string): JetStreamError => new JetStreamError('storeFailed', why);
  if (subjectFull && config.discard_new_per_subject) throw refuse('maximum messages per subject exceeded');
  // A full subject discards its oldest message, so the stream does not grow.
  if (config.max_msgs > 0 && store.count >= config.max_msgs && !subjectFull) throw refuse('maximum messages exceeded');
  const freed = subjectFull ? (ofSubject?.next(0)?.size ?? 0) : 0;
  if (config.max_bytes > 0 && store.bytes - freed + storedSize(subject, header, payload) > config.max_bytes) {
    throw refuse('maximum bytes exceeded');
  }
}
