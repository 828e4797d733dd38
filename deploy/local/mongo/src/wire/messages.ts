import { decode } from '../language/decode.js';
import type { Document } from '../language/values.js';
import { BadFrame, headerBytes, opCode } from './frames.js';

const messageFlags = { checksum: 1, moreToCome: 2, exhaustAllowed: 1 << 16 } as const;

/** A command as it came in. */
export interface Request {
  id: number;
  /** The command's fields. Lists of documents that were sent as sections of their own are fields like others. */
  body: Document;
  /** The client does not want a reply. */
  silent: boolean;
  /** The client takes any number of replies: a `hello` that waits is answered again and again. */
  stream: boolean;
  /** Sent as OP_QUERY, as only a driver's first `hello` is; the reply must be an OP_REPLY. */
  legacy: boolean;
}

/** Reads an OP_MSG or a legacy OP_QUERY. Throws BadFrame when the bytes are neither. */
export function readRequest(bytes: Buffer): Request {
  const id = bytes.readInt32LE(4);
  const code = bytes.readInt32LE(12);
  if (code === opCode.message) return readMessage(bytes, id);
  if (code === opCode.query) return readQuery(bytes, id);
  throw new BadFrame(`opcode ${code} is not served`);
}

function readMessage(bytes: Buffer, id: number): Request {
  if (bytes.length < headerBytes + 10) throw new BadFrame('a message without a section');
  const flags = bytes.readUInt32LE(headerBytes);
  if ((flags & 0xffff & ~(messageFlags.checksum | messageFlags.moreToCome)) !== 0)
    throw new BadFrame('unknown required flags');
  const end = bytes.length - (flags & messageFlags.checksum ? 4 : 0);
  let body: Document | undefined;
  const lists: Document = {};
  for (let at = headerBytes + 4; at < end;) {
    const section = sectionAt(bytes, at, end);
    if (section[0] === 0 && !body) body = decode(section, 1);
    else if (section[0] === 1) readList(section, lists);
    else throw new BadFrame(`section kind ${section[0]} is not served`);
    at += section.length;
  }
  if (!body) throw new BadFrame('a message without a body');
  const stream = (flags & messageFlags.exhaustAllowed) !== 0 && waits(body);
  return {
    id,
    body: Object.assign(body, lists),
    silent: (flags & messageFlags.moreToCome) !== 0,
    stream,
    legacy: false,
  };
}

const waits = ({ hello, topologyVersion, maxAwaitTimeMS }: Document): boolean =>
  hello !== undefined && topologyVersion !== undefined && maxAwaitTimeMS !== undefined;

/** The section that begins at `at`, its kind first. */
function sectionAt(bytes: Buffer, at: number, end: number): Buffer {
  if (end - at < 6) throw new BadFrame('a section is cut off');
  const size = bytes.readInt32LE(at + 1);
  if (size < 5 || at + 1 + size > end) throw new BadFrame('a section is longer than its message');
  return bytes.subarray(at, at + 1 + size);
}

/** A section with a list of documents: its size, the name of the field, the documents. */
function readList(section: Buffer, lists: Document): void {
  const nameEnd = section.indexOf(0, 5);
  if (nameEnd < 0) throw new BadFrame('a section without a name');
  const documents: Document[] = [];
  for (let at = nameEnd + 1; at < section.length;) {
    const size = section.length - at < 5 ? 0 : section.readInt32LE(at);
    if (size < 5 || at + size > section.length) throw new BadFrame('a document is longer than its section');
    documents.push(decode(section, at));
    at += size;
  }
  lists[section.toString('utf8', 5, nameEnd)] = documents;
}

/** The driver's first `hello`: flags, "admin.$cmd", numbers to skip and to return, then the command. */
function readQuery(bytes: Buffer, id: number): Request {
  const nameEnd = bytes.indexOf(0, headerBytes + 4);
  if (nameEnd < 0 || nameEnd + 14 > bytes.length) throw new BadFrame('a query without a document');
  const body = decode(bytes.subarray(nameEnd + 9));
  body['$db'] = bytes.toString('utf8', headerBytes + 4, bytes.indexOf('.', headerBytes + 4));
  return { id, body, silent: false, stream: false, legacy: true };
}
