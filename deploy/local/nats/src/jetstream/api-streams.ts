import { isDeepStrictEqual } from 'node:util';
import { collide } from '../routing/subject.js';
import type { ApiRequest, Route } from './api.js';
import { JetStreamError } from './errors.js';
import type { JetStream } from './jetstream.js';
import { byName, page, text } from './paging.js';
import { checkStreamUpdate, streamConfig, type StreamConfig } from './stream-config.js';
import { deletedSequences, streamInfo, streamState, subjectsPerPage, subjectTotals } from './stream-views.js';

const [namesPerPage, infosPerPage] = [1024, 256];

export const streamRoutes: readonly Route[] = [
  ['STREAM.CREATE.*', 'stream_create', create],
  ['STREAM.UPDATE.*', 'stream_update', update],
  ['STREAM.INFO.*', 'stream_info', info],
  ['STREAM.NAMES', 'stream_names', names],
  ['STREAM.LIST', 'stream_list', list],
  ['STREAM.DELETE.*', 'stream_delete', remove],
];

async function create(jetStream: JetStream, { tokens, fields }: ApiRequest): Promise<object> {
  const config = streamConfig(fields);
  if (config.name !== tokens[2]) throw new JetStreamError('streamMismatch');
  const existing = jetStream.streams.get(config.name);
  if (existing) {
    if (!isDeepStrictEqual(existing.config, config)) throw new JetStreamError('streamNameInUse');
    return streamInfo(existing);
  }
  checkOverlap(jetStream, config);
  return { ...streamInfo(await jetStream.createStream(config)), did_create: true };
}

async function update(jetStream: JetStream, { tokens, fields }: ApiRequest): Promise<object> {
  const config = streamConfig(fields);
  if (config.name !== tokens[2]) throw new JetStreamError('streamMismatch');
  const stream = jetStream.stream(config.name);
  checkStreamUpdate(stream.config, config);
  checkOverlap(jetStream, config);
  await jetStream.updateStream(stream, config);
  return streamInfo(stream);
}

function info(jetStream: JetStream, { tokens, fields }: ApiRequest): object {
  const stream = jetStream.stream(tokens[2] ?? '');
  const state = streamState(stream);
  if (fields['deleted_details'] === true && state['num_deleted']) state['deleted'] = deletedSequences(stream);
  const filter = text(fields, 'subjects_filter');
  if (!filter) return streamInfo(stream, state);
  const { items, ...paging } = page(subjectTotals(stream, filter), fields, subjectsPerPage);
  if (paging.total === 0) return streamInfo(stream, state);
  return { ...streamInfo(stream, { ...state, subjects: Object.fromEntries(items) }), ...paging };
}

function names(jetStream: JetStream, { fields }: ApiRequest): object {
  const { items, ...paging } = page(matching(jetStream, text(fields, 'subject')), fields, namesPerPage);
  return { ...paging, streams: items.length > 0 ? items : null };
}

function list(jetStream: JetStream, { fields }: ApiRequest): object {
  const { items, ...paging } = page(matching(jetStream, text(fields, 'subject')), fields, infosPerPage);
  return { ...paging, streams: items.map((name) => streamInfo(jetStream.stream(name))) };
}

async function remove(jetStream: JetStream, { tokens }: ApiRequest): Promise<object> {
  await jetStream.deleteStream(jetStream.stream(tokens[2] ?? ''));
  return { success: true };
}

/** Returns the names of the streams that have a subject matching `subject`, or all names if `subject` is empty. */
function matching({ streams }: JetStream, subject: string): string[] {
  const isMatch = (config: StreamConfig): boolean => !subject || config.subjects.some((own) => collide(own, subject));
  return byName(streams).flatMap(([name, { config }]) => (isMatch(config) ? [name] : []));
}

/** Checks that no other stream has overlapping subjects. Otherwise, a message would be stored twice. */
function checkOverlap({ streams }: JetStream, { name, subjects }: StreamConfig): void {
  for (const { config } of streams.values()) {
    if (config.name === name) continue;
    if (config.subjects.some((other) => subjects.some((subject) => collide(subject, other)))) {
      throw new JetStreamError('subjectOverlap');
    }
  }
}
