import { SubjectFilter } from '../routing/subject.js';
import type { StoredMessage } from '../store/record.js';
import type { Stream } from './stream.js';

/** Maximum number of subjects per response. */
export const subjectsPerPage = 100_000;
const noTime = '0001-01-01T00:00:00Z';
const timestamp = (time: number | undefined): string => (time === undefined ? noTime : new Date(time).toISOString());

/** Returns the stream info of the API. */
export function streamInfo(stream: Stream, state: object = streamState(stream)): object {
  return { config: stream.config, created: stream.created, state, ts: new Date().toISOString() };
}

export function streamState({ store, consumers }: Stream): Record<string, unknown> {
  const deleted = store.count > 0 ? store.lastSeq - store.firstSeq + 1 - store.count : 0;
  return {
    messages: store.count,
    bytes: store.bytes,
    first_seq: store.lastSeq === 0 ? 0 : store.firstSeq,
    first_ts: timestamp(store.first?.time),
    last_seq: store.lastSeq,
    last_ts: timestamp(store.lastTime || undefined),
    consumer_count: consumers.size,
    num_subjects: store.subjects.size,
    ...(deleted > 0 ? { num_deleted: deleted } : {}),
  };
}

/** Returns the sequences without a message between the first and the last sequence of the stream. */
export function deletedSequences({ store }: Stream): number[] {
  const deleted: number[] = [];
  for (let seq = store.firstSeq; seq <= store.lastSeq; seq++) if (!store.slot(seq)) deleted.push(seq);
  return deleted;
}

/** Returns the number of messages per matching subject, sorted by subject. */
export function subjectTotals({ store }: Stream, filter: string): [string, number][] {
  const wanted = new SubjectFilter([filter]);
  const found = [...store.subjects.values()].filter(({ name }) => wanted.matches(name));
  return found.map(({ name, live }): [string, number] => [name, live]).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns a message in the format of MSG.GET. */
export function messageView({ subject, seq, time, header, payload }: StoredMessage): object {
  return {
    subject,
    seq,
    ...(header ? { hdrs: header.toString('base64') } : {}),
    ...(payload.length > 0 ? { data: payload.toString('base64') } : {}),
    time: timestamp(time),
  };
}

/** Returns the headers that a direct get adds. */
export function directFields(stream: string, { subject, seq, time }: StoredMessage): Record<string, string | number> {
  return { 'Nats-Stream': stream, 'Nats-Subject': subject, 'Nats-Sequence': seq, 'Nats-Time-Stamp': timestamp(time) };
}
