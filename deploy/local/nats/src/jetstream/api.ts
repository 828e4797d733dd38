import type { Message, Router } from '../routing/router.js';
import { consumerRoutes } from './api-consumers.js';
import { messageRoutes } from './api-messages.js';
import { streamRoutes } from './api-streams.js';
import { JetStreamError } from './errors.js';
import { parseFields, type Fields } from './fields.js';
import type { JetStream } from './jetstream.js';

/** An API request. `tokens` are the parts of its subject after `$JS.API.`. */
export interface ApiRequest {
  tokens: readonly string[];
  fields: Fields;
}

/** A subject pattern after `$JS.API.`, the name in the `type` of the response, and the handler of the request. */
export type Route = readonly [string, string, (jetStream: JetStream, request: ApiRequest) => object | Promise<object>];

const prefix = '$JS.API.';

const refuse = (): never => {
  throw new JetStreamError('badRequest');
};

/** All API operations. Unsupported ones are rejected, so that clients do not wait for a response in vain. */
const routes: readonly Route[] = [
  ['INFO', 'account_info', accountInfo],
  ...streamRoutes,
  ...messageRoutes,
  ...consumerRoutes,
  ['STREAM.SNAPSHOT.*', 'stream_snapshot', refuse],
  ['STREAM.RESTORE.*', 'stream_restore', refuse],
  ['STREAM.PEER.REMOVE.*', 'stream_remove_peer', refuse],
  ['STREAM.LEADER.STEPDOWN.*', 'stream_leader_stepdown', refuse],
  ['CONSUMER.LEADER.STEPDOWN.*.*', 'consumer_leader_stepdown', refuse],
  ['CONSUMER.PAUSE.*.*', 'consumer_pause', refuse],
  ['CONSUMER.UNPIN.*.*', 'consumer_unpin', refuse],
  ['CONSUMER.RESET.*.*', 'consumer_reset', refuse],
  ['META.LEADER.STEPDOWN', 'meta_leader_stepdown', refuse],
  ['SERVER.REMOVE', 'meta_server_remove', refuse],
];

/** Serves the API subjects. Requests run one at a time, so that each sees the effects of earlier ones. */
export function serveApi(jetStream: JetStream, router: Router, log: (error: Error) => void): void {
  let last: Promise<void> = Promise.resolve();
  for (const route of routes) {
    const deliver = (message: Message): void => {
      last = last.then(() => answer(jetStream, router, route, message)).catch(log);
    };
    router.add({ subject: prefix + route[0], deliver });
  }
}

async function answer(jetStream: JetStream, router: Router, route: Route, message: Message): Promise<void> {
  const [, type, handle] = route;
  let body: object;
  try {
    const tokens = message.subject.slice(prefix.length).split('.');
    body = await handle(jetStream, { tokens, fields: parseFields(message.payload) });
  } catch (error) {
    const known = error instanceof JetStreamError ? error : new JetStreamError('storeFailed', (error as Error).message);
    body = { error: known.api };
  }
  if (message.reply === undefined) return;
  const payload = Buffer.from(JSON.stringify({ type: `io.nats.jetstream.api.v1.${type}_response`, ...body }));
  router.publish({ subject: message.reply, payload });
}

function accountInfo({ streams }: JetStream): object {
  const all = [...streams.values()];
  const unlimited = -1;
  return {
    memory: 0,
    storage: all.reduce((sum, { store }) => sum + store.bytes, 0),
    streams: all.length,
    consumers: all.reduce((sum, { consumers }) => sum + consumers.size, 0),
    limits: {
      max_memory: unlimited,
      max_storage: unlimited,
      max_streams: unlimited,
      max_consumers: unlimited,
      max_ack_pending: unlimited,
      memory_max_stream_bytes: unlimited,
      storage_max_stream_bytes: unlimited,
      max_bytes_required: false,
    },
    api: { total: 0, errors: 0 },
  };
}
