import { SubjectFilter } from '../routing/subject.js';
import type { Slot } from '../store/slot.js';
import type { ApiRequest, Route } from './api.js';
import { JetStreamError } from './errors.js';
import type { Fields } from './fields.js';
import type { JetStream } from './jetstream.js';
import { text, wholeNumber } from './paging.js';
import { messageView } from './stream-views.js';
import type { Stream } from './stream.js';

export const messageRoutes: readonly Route[] = [
  ['STREAM.PURGE.*', 'stream_purge', purge],
  ['STREAM.MSG.GET.*', 'stream_msg_get', get],
  ['STREAM.MSG.DELETE.*', 'stream_msg_delete', remove],
];

async function purge(jetStream: JetStream, { tokens, fields }: ApiRequest): Promise<object> {
  const stream = jetStream.stream(tokens[2] ?? '');
  if (stream.config.deny_purge) throw new JetStreamError('purgeFailed', 'stream purge not permitted');
  const [filter, below, keep] = [text(fields, 'filter'), wholeNumber(fields, 'seq'), wholeNumber(fields, 'keep')];
  if (below > 0 && keep > 0) throw new JetStreamError('badRequest');
  const isWhole = !filter && below === 0 && keep === 0;
  const purged = isWhole ? await stream.purge() : await purgeSome(stream, filter, below, keep);
  return { success: true, purged };
}

/** Removes messages that match a filter: those below a sequence, or all but the last `keep`. Returns their number. */
function purgeSome(stream: Stream, filter: string, below: number, keep: number): Promise<number> {
  const { store } = stream;
  const wanted = new SubjectFilter(filter ? [filter] : []);
  const slots = [...store.slots()].filter(({ subject }) => wanted.matches(subject.name));
  const gone = below > 0 ? slots.filter(({ seq }) => seq < below) : slots.slice(0, Math.max(0, slots.length - keep));
  return stream.removeAll(gone);
}

function get(jetStream: JetStream, { tokens, fields }: ApiRequest): object {
  const stream = jetStream.stream(tokens[3] ?? '');
  if (wholeNumber(fields, 'batch') > 0 || wholeNumber(fields, 'max_bytes') > 0) throw new JetStreamError('badRequest');
  const slot = findMessage(stream, fields);
  if (!slot) throw new JetStreamError('noMessageFound');
  return { message: messageView(stream.store.read(slot)) };
}

async function remove(jetStream: JetStream, { tokens, fields }: ApiRequest): Promise<object> {
  const stream = jetStream.stream(tokens[3] ?? '');
  const seq = wholeNumber(fields, 'seq');
  if (seq === 0) throw new JetStreamError('badRequest');
  if (stream.config.deny_delete) throw new JetStreamError('messageDelete', 'message delete not permitted');
  const slot = stream.store.slot(seq);
  if (!slot) throw new JetStreamError('sequenceNotFound', seq);
  await stream.removeAll([slot]);
  return { success: true };
}

/**
 * Returns the message requested by its sequence, or as the last or next message of a subject. Throws `badRequest` if
 * the request is incomplete or ambiguous, or contains `start_time`, which is not supported.
 */
export function findMessage({ store }: Stream, fields: Fields): Slot | undefined {
  const [seq, last, next] = [wholeNumber(fields, 'seq'), text(fields, 'last_by_subj'), text(fields, 'next_by_subj')];
  const refused = (seq > 0 && last) || (last && next) || fields['start_time'] !== undefined;
  if (refused || !(seq > 0 || last || next)) throw new JetStreamError('badRequest');
  if (last) return store.last(new SubjectFilter([last]));
  if (next) return store.next(new SubjectFilter([next]), Math.max(1, seq));
  return store.slot(seq);
}
