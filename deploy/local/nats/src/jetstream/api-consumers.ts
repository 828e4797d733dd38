import { isDeepStrictEqual } from 'node:util';
import { randomBytes } from 'node:crypto';
import { collide } from '../routing/subject.js';
import type { ApiRequest, Route } from './api.js';
import { checkConsumerUpdate, consumerConfig, filtersOf, type ConsumerConfig } from './consumer-config.js';
import type { Consumer } from './consumer.js';
import { JetStreamError } from './errors.js';
import type { Fields } from './fields.js';
import type { JetStream } from './jetstream.js';
import { byName, page } from './paging.js';
import { isValidName } from './stream-config.js';
import type { Stream } from './stream.js';

const [namesPerPage, infosPerPage] = [1024, 256];

export const consumerRoutes: readonly Route[] = [
  ['CONSUMER.CREATE.*', 'consumer_create', createUnnamed],
  ['CONSUMER.CREATE.*.*', 'consumer_create', createNamed],
  ['CONSUMER.CREATE.*.*.>', 'consumer_create', createNamed],
  ['CONSUMER.DURABLE.CREATE.*.*', 'consumer_create', createDurable],
  ['CONSUMER.INFO.*.*', 'consumer_info', info],
  ['CONSUMER.NAMES.*', 'consumer_names', names],
  ['CONSUMER.LIST.*', 'consumer_list', list],
  ['CONSUMER.DELETE.*.*', 'consumer_delete', remove],
];

/** `CONSUMER.CREATE.<stream>`: creates an ephemeral consumer. The broker chooses its name if the request has none. */
function createUnnamed(jetStream: JetStream, { tokens, fields }: ApiRequest): Promise<object> {
  const config = configOf(fields);
  if (config['durable_name']) throw new JetStreamError('ephemeralWithDurable');
  return create(jetStream, tokens[2]!, fields, config);
}

/** `CONSUMER.CREATE.<stream>.<name>[.<filter>]` */
function createNamed(jetStream: JetStream, { tokens, fields }: ApiRequest): Promise<object> {
  const config = configOf(fields);
  const [name, filter] = [tokens[3]!, tokens.slice(4).join('.')];
  if (config['durable_name'] && config['durable_name'] !== name) throw new JetStreamError('durableNameMismatch');
  if (filter && Array.isArray(config['filter_subjects']) && config['filter_subjects'].length > 0) {
    throw new JetStreamError('multipleFilters');
  }
  if (filter && config['filter_subject'] !== filter) throw new JetStreamError('filterMismatch');
  return create(jetStream, tokens[2]!, fields, { ...config, name });
}

/** `CONSUMER.DURABLE.CREATE.<stream>.<name>` */
function createDurable(jetStream: JetStream, { tokens, fields }: ApiRequest): Promise<object> {
  const config = configOf(fields);
  if (!config['durable_name']) throw new JetStreamError('durableNameNotSet');
  if (config['durable_name'] !== tokens[4]) throw new JetStreamError('durableNameMismatch');
  return create(jetStream, tokens[3]!, fields, { ...config, name: tokens[4] });
}

function configOf(fields: Fields): Fields {
  const { config } = fields;
  if (typeof config !== 'object' || config === null) throw new JetStreamError('consumerConfigRequired');
  return config as Fields;
}

async function create(jetStream: JetStream, streamName: string, fields: Fields, given: Fields): Promise<object> {
  if (fields['stream_name'] !== streamName) throw new JetStreamError('streamMismatch');
  const stream = jetStream.stream(streamName);
  const config = consumerConfig(given, stream.config);
  const name = (config.name ||= config.durable_name || unusedName(stream));
  if (!isValidName(name)) throw new JetStreamError('streamInvalidConfig', 'consumer name is not valid');
  const existing = stream.consumers.get(name);
  if (existing) return change(jetStream, existing, config, fields['action']);
  if (fields['action'] === 'update') throw new JetStreamError('consumerDoesNotExist');
  const { max_consumers: maxConsumers } = stream.config;
  if (maxConsumers > 0 && stream.consumers.size >= maxConsumers) throw new JetStreamError('maximumConsumers');
  checkWorkQueueFilters(stream, name, config);
  return (await jetStream.createConsumer(stream, name, config)).info();
}

/**
 * Handles a request for an existing consumer: an identical configuration succeeds without a change, and a different
 * one is applied unless the action is `create`.
 */
async function change(
  jetStream: JetStream,
  consumer: Consumer,
  config: ConsumerConfig,
  action: unknown,
): Promise<object> {
  const same = isDeepStrictEqual(consumer.config, config);
  if (action === 'create' && !same) throw new JetStreamError('consumerExists');
  if (!same) {
    checkConsumerUpdate(consumer.config, config);
    checkWorkQueueFilters(consumer.stream, consumer.name, config);
    await jetStream.updateConsumer(consumer, config);
  }
  return consumer.info();
}

/** Checks that each message of a work queue has only one consumer. */
function checkWorkQueueFilters(stream: Stream, name: string, config: ConsumerConfig): void {
  if (stream.config.retention !== 'workqueue') return;
  const filters = filtersOf(config);
  for (const other of stream.consumers.values()) {
    if (other.name === name) continue;
    const others = other.filter.subjects;
    if (filters.length === 0 || others.length === 0) throw new JetStreamError('workQueueUnfiltered');
    if (filters.some((filter) => others.some((subject) => collide(filter, subject)))) {
      throw new JetStreamError('workQueueNotUnique');
    }
  }
}

function unusedName({ consumers }: Stream): string {
  for (;;) {
    const name = randomBytes(6).toString('base64url').replaceAll(/[-_]/g, 'x');
    if (!consumers.has(name)) return name;
  }
}

function find(jetStream: JetStream, stream: string, name: string): Consumer {
  const consumer = jetStream.stream(stream).consumers.get(name);
  if (!consumer) throw new JetStreamError('consumerNotFound');
  return consumer;
}

function info(jetStream: JetStream, { tokens }: ApiRequest): object {
  return find(jetStream, tokens[2]!, tokens[3]!).info();
}

function names(jetStream: JetStream, { tokens, fields }: ApiRequest): object {
  const { consumers } = jetStream.stream(tokens[2]!);
  const { items, ...paging } = page(byName(consumers), fields, namesPerPage);
  return { ...paging, consumers: items.map(([name]) => name) };
}

function list(jetStream: JetStream, { tokens, fields }: ApiRequest): object {
  const { consumers } = jetStream.stream(tokens[2]!);
  const { items, ...paging } = page(byName(consumers), fields, infosPerPage);
  return { ...paging, consumers: items.map(([, consumer]) => consumer.info()) };
}

async function remove(jetStream: JetStream, { tokens }: ApiRequest): Promise<object> {
  await jetStream.deleteConsumer(find(jetStream, tokens[2]!, tokens[3]!));
  return { success: true };
}
