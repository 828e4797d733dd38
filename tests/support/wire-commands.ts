import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { deserialize } from 'bson';

/** The fields of a MongoDB command, including the document sequences of its message. */
export type WireCommand = Record<string, unknown>;

const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;

/**
 * Calls `received` with each command that a named client sends to a server of this process. A client sends its name in
 * the handshake (https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/). Returns a function that stops
 * the calls for new connections.
 */
export function eachCommand(received: (command: WireCommand, app: string) => void): () => void {
  const follow = (message: unknown): void => {
    let app: string | undefined;
    eachMessage((message as { socket: Socket }).socket, (bytes) => {
      const command = commandOf(bytes);
      app = (command?.['client'] as Client | undefined)?.application?.name ?? app;
      if (command && app !== undefined) received(command, app);
    });
  };
  subscribe('net.server.socket', follow);
  return () => unsubscribe('net.server.socket', follow);
}

interface Client {
  application?: { name: string };
}

/** Calls `received` with every complete message until the first invalid one. */
function eachMessage(socket: Socket, received: (message: Buffer) => void): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let wanted = 16;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= wanted) {
      const all = Buffer.concat(chunks);
      const size = all.readInt32LE(0);
      if (size < 16) wanted = Infinity;
      else if (bytes < size) wanted = size;
      else {
        received(all.subarray(0, size));
        bytes -= size;
        wanted = 16;
      }
      chunks = [all.subarray(all.length - bytes)];
    }
  });
}

function commandOf(message: Buffer): WireCommand | undefined {
  const code = message.readInt32LE(12);
  if (code === OP_QUERY) return documentAt(message, message.indexOf(0, 20) + 9);
  return code === OP_MSG ? sectionsOf(message) : undefined;
}

function sectionsOf(message: Buffer): WireCommand {
  let body: WireCommand = {};
  const lists: WireCommand = {};
  const end = message.length - (message.readUInt32LE(16) & CHECKSUM_PRESENT ? 4 : 0);
  for (let at = 20, next; at < end; at = next) {
    next = at + 1 + message.readInt32LE(at + 1);
    if (message[at] === 0) body = documentAt(message, at + 1);
    else {
      const nameEnd = message.indexOf(0, at + 5);
      lists[message.toString('utf8', at + 5, nameEnd)] = documentsIn(message.subarray(nameEnd + 1, next));
    }
  }
  return { ...body, ...lists };
}

function documentsIn(bytes: Buffer): WireCommand[] {
  const documents: WireCommand[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) documents.push(documentAt(bytes, at));
  return documents;
}

const documentAt = (bytes: Buffer, at: number): WireCommand =>
  deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)));
