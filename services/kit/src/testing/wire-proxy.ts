import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { mongo } from 'mongoose';

/** A command or a response of MongoDB. */
export type WireDocument = Record<string, unknown>;

export interface WireProxyOptions {
  /** Port of the server, on 127.0.0.1. */
  target: number;
  /** Requires TLS from clients. The connection to the server is plaintext. */
  tls?: TlsOptions;
  /** Returns the response to a command, or undefined to forward it to the server. */
  answer?: (command: WireDocument, client: Socket) => WireDocument | undefined;
  /** Returns the response to send to the client instead of a response of the server. */
  change?: (response: WireDocument, command: WireDocument, client: Socket) => WireDocument;
}

/** A proxy that reads MongoDB's wire protocol, on a port of 127.0.0.1. */
export interface WireProxy {
  port: number;
  stop(): Promise<void>;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/**
 * Starts a proxy in front of a MongoDB server, to test what the embedded engine does not support: mongos, TLS and
 * authentication.
 */
export async function startWireProxy({ target, tls, ...hooks }: WireProxyOptions): Promise<WireProxy> {
  const sockets = new Set<Socket>();
  const serve = (client: Socket): void => {
    const server = connect(target, '127.0.0.1');
    const pendingCommands = new Map<number, WireDocument>();
    eachMessage(client, (message) => {
      const command = bodyOf(message);
      const answer = hooks.answer?.(command, client);
      if (answer) return void client.write(responseTo(message, answer));
      pendingCommands.set(message.readInt32LE(4), command);
      server.write(message);
    });
    eachMessage(server, (message) => {
      const command = pendingCommands.get(message.readInt32LE(8));
      const response = bodyOf(message);
      const changed = command && hooks.change?.(response, command, client);
      client.write(changed && changed !== response ? withBody(message, changed) : message);
    });
    for (const socket of [client, server]) {
      sockets.add(socket);
      const ended = (): void => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      };
      socket.on('error', ended).on('close', ended);
    }
  };
  const listener = tls ? createTlsServer(tls, serve) : createServer(serve);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}

function eachMessage(socket: Socket, received: (message: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let size; bytes.length >= 4 && bytes.length >= (size = bytes.readInt32LE(0)); bytes = bytes.subarray(size))
      received(bytes.subarray(0, size));
  });
}

/** Returns the offset of the first document of a message. */
function bodyAt(message: Buffer): number {
  const code = message.readInt32LE(12);
  if (code === OP_MSG) return 21;
  return code === OP_REPLY ? 36 : message.indexOf(0, 20) + 9;
}

function bodyOf(message: Buffer): WireDocument {
  const at = bodyAt(message);
  return mongo.BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));
}

function withBody(message: Buffer, body: WireDocument): Buffer {
  const changed = Buffer.concat([message.subarray(0, bodyAt(message)), mongo.BSON.serialize(body)]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

function responseTo(request: Buffer, body: WireDocument): Buffer {
  const isQuery = request.readInt32LE(12) === OP_QUERY;
  const head = Buffer.alloc(isQuery ? 36 : 21);
  head.writeInt32LE(request.readInt32LE(4), 8);
  head.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  if (isQuery) head.writeInt32LE(1, 32);
  return withBody(head, body);
}
