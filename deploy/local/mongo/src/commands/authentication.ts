import { Binary } from 'bson';
import { fail } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { ScramExchange } from '../sessions/scram.js';
import { ok, type CommandTable } from './command.js';
import type { Context } from './context.js';
import { text } from './fields.js';

/** Commands that need no authentication, as on a server. */
const OPEN = new Set(['hello', 'ismaster', 'ping', 'buildInfo', 'saslStart', 'saslContinue', 'endSessions']);

export function checkAuthenticated({ engine, client, name }: Context): void {
  if (engine.keys && !client.isAuthenticated && !OPEN.has(name))
    fail('Unauthorized', `Command ${name} requires authentication`);
}

const MECHANISM = 'SCRAM-SHA-256';

/** Starts a SCRAM exchange: `saslStart`, alone or in the `speculativeAuthenticate` of a `hello`. */
function startExchange({ engine, client }: Context, body: Document, db: unknown): Document {
  if (text(body, 'mechanism') !== MECHANISM)
    fail('BadValue', `Received authentication for mechanism ${String(body['mechanism'])} which is not enabled`);
  if (!engine.keys || db !== 'admin') fail('AuthenticationFailed', 'Authentication failed.');
  client.exchange = new ScramExchange(engine.keys, payloadOf(body));
  return conversation(client.exchange.serverFirst, false);
}

const payloadOf = ({ payload }: Document): string =>
  payload instanceof Binary ? Buffer.from(payload.buffer).toString() : '';
const conversation = (message: string, done: boolean): Document => ({
  conversationId: 1,
  done,
  payload: new Binary(Buffer.from(message)),
});

/** Returns the fields of a reply to `hello` that concern authentication. */
export function authenticationOffer(context: Context): Document {
  const { body, engine } = context;
  if (!engine.keys) return {};
  const mechanisms = body['saslSupportedMechs'] !== undefined && { saslSupportedMechs: [MECHANISM] };
  const first = body['speculativeAuthenticate'] as Document | undefined;
  const isScram = first?.['mechanism'] === MECHANISM && first['db'] === 'admin';
  return { ...mechanisms, ...(isScram && { speculativeAuthenticate: startExchange(context, first, 'admin') }) };
}

export const authenticationCommands: CommandTable = {
  saslStart: {
    options: ['mechanism', 'payload', 'options', 'autoAuthorize'],
    run: (context) => ok(startExchange(context, context.body, context.db)),
  },

  saslContinue: {
    options: ['conversationId', 'payload'],
    run({ body, client }) {
      const { exchange } = client;
      if (!exchange) fail('ProtocolError', 'No SASL session state found');
      delete client.exchange;
      const message = exchange.finish(payloadOf(body));
      client.isAuthenticated = true;
      return ok(conversation(message, true));
    },
  },
};
