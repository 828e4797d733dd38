import { connect, createInbox, type NatsConnection } from '@nats-io/transport-node';

/** A copy of a JetStream stream, as `nats stream backup --no-consumers` writes it. */
export interface StreamBackup {
  stream: string;
  config: object;
  state: object;
  chunks: Uint8Array[];
}

const TIMEOUT_MS = 20_000;

/** Copies streams without their consumers, through the API that `nats stream backup` uses. */
export const backupStreams = (url: string, streams: string[]): Promise<StreamBackup[]> =>
  connected(url, (connection) => Promise.all(streams.map((stream) => backup(connection, stream))));

/** Creates streams from their copies, through the API that `nats stream restore` uses. */
export const restoreStreams = (url: string, backups: StreamBackup[]): Promise<void> =>
  connected(url, async (connection) => {
    for (const each of backups) await restore(connection, each);
  });

async function connected<T>(url: string, work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: url, name: 'backup' });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

interface Reply {
  error?: { description: string };
}

async function ask<T>(connection: NatsConnection, subject: string, body: object | Uint8Array): Promise<T> {
  const payload = body instanceof Uint8Array ? body : JSON.stringify(body);
  const { data } = await connection.request(subject, payload, { timeout: TIMEOUT_MS });
  if (data.length === 0) return {} as T;
  const reply = JSON.parse(Buffer.from(data).toString()) as T & Reply;
  if (reply.error) throw new Error(`${subject}: ${reply.error.description}`);
  return reply;
}

async function backup(connection: NatsConnection, stream: string): Promise<StreamBackup> {
  const inbox = createInbox();
  const chunks: Uint8Array[] = [];
  const incoming = connection.subscribe(inbox);
  const received = (async () => {
    for await (const message of incoming) {
      // An empty message marks the end.
      if (message.data.length === 0) return;
      chunks.push(message.data);
      message.respond();
    }
  })();
  const request = { deliver_subject: inbox, no_consumers: true };
  const { config, state } = await ask<Pick<StreamBackup, 'config' | 'state'>>(
    connection,
    `$JS.API.STREAM.SNAPSHOT.${stream}`,
    request,
  );
  await received;
  incoming.unsubscribe();
  return { stream, config, state, chunks };
}

async function restore(connection: NatsConnection, { stream, config, state, chunks }: StreamBackup): Promise<void> {
  const subject = `$JS.API.STREAM.RESTORE.${stream}`;
  const { deliver_subject: target } = await ask<{ deliver_subject: string }>(connection, subject, { config, state });
  for (const chunk of chunks) await ask(connection, target, chunk);
  await ask(connection, target, new Uint8Array());
}
