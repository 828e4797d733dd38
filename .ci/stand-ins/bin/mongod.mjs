// Runs the embedded engine, which has no authentication, behind a proxy that authenticates clients with SCRAM-SHA-256 (RFC 5802
// section 3, RFC 7677) and the password that the chart and the compose file set. Data of authenticated clients is forwarded
// unchanged.
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { STAND_IN_ROOT = '/app', PORT = '27017', HOST = '0.0.0.0', DATA_DIR, USER_NAME, PASSWORD } = process.env;
const engineFolder = join(STAND_IN_ROOT, 'deploy/local/mongo');
const { startMongo } = await import(pathToFileURL(join(engineFolder, 'dist/index.js')).href);
const { Binary, deserialize, serialize } = createRequire(join(engineFolder, 'package.json'))('bson');

const OP_QUERY = 2004;
const OP_MSG = 2013;
const MECHANISM = 'SCRAM-SHA-256';
/** Commands that need no authentication. */
const UNAUTHENTICATED_COMMANDS = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'buildInfo', 'endSessions']);

const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
const salt = randomBytes(28);
const salted = pbkdf2Sync(PASSWORD, salt, 15_000, 32, 'sha256');
const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
const serverKey = hmac(salted, 'Server Key');

const refusal = (code, codeName, errmsg) => ({ ok: 0, code, codeName, errmsg });
const failed = refusal(18, 'AuthenticationFailed', 'Authentication failed.');
const conversation = (done, text) => ({ ok: 1, conversationId: 1, done, payload: new Binary(Buffer.from(text)) });

/** Returns the reply to `saslStart` and the function that answers `saslContinue`. */
function startExchange({ mechanism, payload }) {
  const [, bare, user, nonce] = /^n,,(n=([^,]*),r=([^,]+))$/.exec(Buffer.from(payload.buffer).toString()) ?? [];
  if (mechanism !== MECHANISM || user !== USER_NAME) return { reply: failed };
  const combinedNonce = nonce + randomBytes(24).toString('base64');
  const first = `r=${combinedNonce},s=${salt.toString('base64')},i=15000`;
  const finish = (message) => {
    const [, withoutProof, sentNonce, proof] = /^(c=biws,r=([^,]+)),p=(\S+)$/.exec(message) ?? [];
    const signed = `${bare},${first},${withoutProof}`;
    const signature = hmac(storedKey, signed);
    const key = Buffer.from(proof ?? '', 'base64').map((byte, i) => byte ^ signature[i]);
    const isValid =
      sentNonce === combinedNonce && timingSafeEqual(createHash('sha256').update(key).digest(), storedKey);
    return isValid && conversation(true, `v=${hmac(serverKey, signed).toString('base64')}`);
  };
  return { reply: conversation(false, first), finish };
}

/** Calls `each` with every complete message of a socket. Returns a function that ends the calls. */
function readMessages(socket, each) {
  let bytes = Buffer.alloc(0);
  const read = (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
      const message = bytes.subarray(0, bytes.readInt32LE(0));
      bytes = bytes.subarray(message.length);
      each(message);
    }
  };
  socket.on('data', read);
  return () => socket.off('data', read);
}

const bodyAt = (message) => {
  const code = message.readInt32LE(12);
  if (code === OP_MSG) return 21;
  return code === OP_QUERY ? message.indexOf(0, 20) + 9 : 36;
};
const bodyOf = (message) => deserialize(message.subarray(bodyAt(message)), { allowObjectSmallerThanBufferSize: true });

/** Returns a copy of a message with its body replaced by `body`. */
function withBody(message, body) {
  const changed = Buffer.concat([message.subarray(0, bodyAt(message)), serialize(body)]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

/** Returns a reply (OP_MSG) to a message. */
function replyTo(message, body) {
  const head = Buffer.alloc(21);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(OP_MSG, 12);
  return withBody(head, body);
}

function serve(client, target) {
  const engine = connect(target, '127.0.0.1');
  for (const [one, other] of [
    [client, engine],
    [engine, client],
  ]) {
    one.setNoDelay(true);
    one.on('error', () => undefined).on('close', () => other.destroy());
  }
  let finish;
  /** Ids of `hello` messages that ask for the authentication mechanisms of a user. */
  const mechanismRequests = new Set();
  const stopReplies = readMessages(engine, (message) => {
    const asks = mechanismRequests.delete(message.readInt32LE(8));
    client.write(asks ? withBody(message, { ...bodyOf(message), saslSupportedMechs: [MECHANISM] }) : message);
  });
  const stopCommands = readMessages(client, (message) => {
    const body = bodyOf(message);
    const [name] = Object.keys(body);
    if (name === 'saslStart') {
      const exchange = startExchange(body);
      finish = exchange.finish;
      client.write(replyTo(message, exchange.reply));
    } else if (name === 'saslContinue') {
      const success = finish?.(Buffer.from(body.payload.buffer).toString());
      client.write(replyTo(message, success || failed));
      if (!success) return;
      stopCommands();
      stopReplies();
      client.pipe(engine).pipe(client);
    } else if (UNAUTHENTICATED_COMMANDS.has(name)) {
      if (body.saslSupportedMechs !== undefined) mechanismRequests.add(message.readInt32LE(4));
      engine.write(message);
    } else client.write(replyTo(message, refusal(13, 'Unauthorized', `Command ${name} requires authentication`)));
  });
}

const mongo = await startMongo({ dataDir: DATA_DIR, transactionLifetimeLimitSeconds: 30 });
const server = createServer((client) => serve(client, mongo.port)).listen(Number(PORT), HOST);
process.once('SIGTERM', () => {
  server.close();
  void mongo.stop().then(() => process.exit(0));
});
