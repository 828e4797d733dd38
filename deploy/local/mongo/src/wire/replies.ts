import { encode } from '../language/encode.js';
import { documentOf, type Document } from '../language/values.js';
import { headerBytes, opCode } from './frames.js';

/** The reply to a command that opens or reads a cursor: its documents go out as they are stored. */
export class CursorReply {
  /** Further fields of the reply. */
  extra: Document = documentOf({ ok: 1 });

  constructor(
    readonly batch: 'firstBatch' | 'nextBatch',
    readonly documents: Buffer[],
    readonly id: bigint,
    readonly ns: string,
  ) {}
}

export type Reply = Document | CursorReply;

const bodyAt = headerBytes + 5;
let messageId = 1;

/** Tells the client that another reply follows without a request. */
export function markMoreToCome(message: Buffer): void {
  message.writeInt32LE(2, headerBytes);
}

/** An OP_MSG with one section, or for a legacy query an OP_REPLY with one document. */
export function writeReply(reply: Reply, responseTo: number, legacy: boolean): Buffer {
  if (reply instanceof CursorReply) return withHeader(cursorMessage(reply), responseTo, opCode.message);
  const body = encode(reply);
  const at = legacy ? headerBytes + 20 : bodyAt;
  const message = Buffer.alloc(at + body.length);
  body.copy(message, at);
  if (legacy) message.writeInt32LE(1, headerBytes + 16);
  return withHeader(message, responseTo, legacy ? opCode.reply : opCode.message);
}

function withHeader(message: Buffer, responseTo: number, code: number): Buffer {
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE((messageId = (messageId + 1) | 0), 4);
  message.writeInt32LE(responseTo, 8);
  message.writeInt32LE(code, 12);
  return message;
}

const digits = (n: number): number => (n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : String(n).length);

/** Elements of the reply: `cursor: {<batch>: [...], id, ns}`, then the extra fields. */
function cursorMessage({ batch, documents, id, ns, extra }: CursorReply): Buffer {
  let arrayBytes = 5;
  for (let i = 0; i < documents.length; i += 1) arrayBytes += 2 + digits(i) + documents[i]!.length;
  const tail = encode(documentOf({ id, ns }));
  const rest = encode(extra);
  const cursorBytes = 4 + 1 + batch.length + 1 + arrayBytes + (tail.length - 4);
  const message = Buffer.allocUnsafe(bodyAt + 4 + 8 + cursorBytes + rest.length - 4);
  message.writeInt32LE(0, headerBytes);
  message[headerBytes + 4] = 0;
  let at = message.writeInt32LE(message.length - bodyAt, bodyAt);
  at += message.write('\x03cursor\0', at, 'latin1');
  at = message.writeInt32LE(cursorBytes, at);
  at += message.write(`\x04${batch}\0`, at, 'latin1');
  at = writeArray(message, at, documents, arrayBytes);
  at += tail.copy(message, at, 4);
  rest.copy(message, at, 4);
  return message;
}

function writeArray(message: Buffer, start: number, documents: Buffer[], bytes: number): number {
  let at = message.writeInt32LE(bytes, start);
  for (let i = 0; i < documents.length; i += 1) {
    at += message.write(`\x03${i}\0`, at, 'latin1');
    at += documents[i]!.copy(message, at);
  }
  message[at] = 0;
  return at + 1;
}
