import { decode } from '../language/decode.js';
import { encode } from '../language/encode.js';
import type { Document } from '../language/values.js';
import { BadFrame, headerBytes } from './frames.js';

const OP = { reply: 1, query: 2004, message: 2013 } as const;
const FLAG = { checksum: 1, moreToCome: 2, exhaustAllowed: 1 << 16 } as const;

export interface Request {
  id: number;
  body: Document;
  /** The client expects no reply. */
  silent: boolean;
  /**
   * A `hello` that waits for changes, from a client that accepts a stream of replies to it. Drivers use it to notice
   * failures sooner.
   */
  stream: boolean;
  /** An OP_QUERY, which drivers use for their first `hello`. The reply must be an OP_REPLY. */
  legacy: boolean;
}

/** Reads an OP_MSG or a legacy OP_QUERY. Throws BadFrame for other messages. */
export function readRequest(bytes: Buffer): Request {
  const id = bytes.readInt32LE(4);
  const code = bytes.readInt32LE(12);
  if (code === OP.message) return readMessage(bytes, id);
  if (code === OP.query) return readQuery(bytes, id);
  throw new BadFrame(`opcode ${code} is not supported`);
}

function readMessage(bytes: Buffer, id: number): Request {
  if (bytes.length < headerBytes + 10) throw new BadFrame('a message without a section');
  const flags = bytes.readUInt32LE(headerBytes);
  if ((flags & 0xffff & ~(FLAG.checksum | FLAG.moreToCome)) !== 0) throw new BadFrame('unknown required flags');
  const end = bytes.length - (flags & FLAG.checksum ? 4 : 0);
  let body: Document | undefined;
  const lists: Document = {};
  for (let at = headerBytes + 4; at < end;) {
    const size = end - at < 6 ? 0 : bytes.readInt32LE(at + 1);
    if (size < 5 || at + 1 + size > end) throw new BadFrame('a section exceeds its message');
    const section = bytes.subarray(at, at + 1 + size);
    if (section[0] === 0 && !body) body = decode(section, 1);
    else if (section[0] === 1) readList(section, lists);
    else throw new BadFrame(`section kind ${section[0]} is not supported`);
    at += section.length;
  }
  if (!body) throw new BadFrame('a message without a body');
  const { hello, topologyVersion, maxAwaitTimeMS } = body;
  const waits = hello !== undefined && topologyVersion !== undefined && maxAwaitTimeMS !== undefined;
  const [silent, stream] = [(flags & FLAG.moreToCome) !== 0, (flags & FLAG.exhaustAllowed) !== 0 && waits];
  return { id, body: Object.assign(body, lists), silent, stream, legacy: false };
}

/** Reads a document sequence: its size, the name of the field, the documents. */
function readList(section: Buffer, lists: Document): void {
  const nameEnd = section.indexOf(0, 5);
  if (nameEnd < 0) throw new BadFrame('a section without a name');
  const documents: Document[] = [];
  for (let at = nameEnd + 1; at < section.length;) {
    const size = section.length - at < 5 ? 0 : section.readInt32LE(at);
    if (size < 5 || at + size > section.length) throw new BadFrame('a document exceeds its section');
    documents.push(decode(section, at));
    at += size;
  }
  lists[section.toString('utf8', 5, nameEnd)] = documents;
}

/** Reads an OP_QUERY: flags, "admin.$cmd", the numbers of documents to skip and to return, the command. */
function readQuery(bytes: Buffer, id: number): Request {
  const nameAt = headerBytes + 4;
  const nameEnd = bytes.indexOf(0, nameAt);
  if (nameEnd < 0 || nameEnd + 14 > bytes.length) throw new BadFrame('a query without a document');
  const body = decode(bytes.subarray(nameEnd + 9));
  body['$db'] = bytes.toString('utf8', nameAt, bytes.indexOf('.', nameAt));
  return { id, body, silent: false, stream: false, legacy: true };
}

let messageId = 1;

/** Encodes a reply as an OP_MSG with one section, or as an OP_REPLY with one document. */
export function writeReply(reply: Document, responseTo: number, legacy: boolean): Buffer {
  const bodyAt = headerBytes + (legacy ? 20 : 5);
  const message = encode(reply, undefined, bodyAt);
  message.fill(0, headerBytes, bodyAt);
  if (legacy) message.writeInt32LE(1, headerBytes + 16);
  messageId = (messageId + 1) | 0;
  const header = [message.length, messageId, responseTo, legacy ? OP.reply : OP.message];
  header.forEach((value, i) => message.writeInt32LE(value, i * 4));
  return message;
}

/** Marks a message as followed by another reply. */
export function markMoreToCome(message: Buffer): void {
  message.writeInt32LE(FLAG.moreToCome, headerBytes);
}
