import type { RawDoc } from '../bson/raw.js';
import { decode, valueSize } from '../language/decode.js';
import { MongoError } from '../language/errors.js';
import { T, type Document } from '../language/values.js';
import { BadFrame, headerBytes, opCode } from './frames.js';

const messageFlags = { checksum: 1, moreToCome: 2, exhaustAllowed: 1 << 16 } as const;

/** A command as it came in. */
export interface Request {
  id: number;
  /** The command's fields, but for what `sequences` holds. */
  body: Document;
  /** Lists of whole documents, in raw form: those sent as sections of their own, and the documents of an insert. */
  sequences: Map<string, RawDoc[]>;
  /** The client does not want a reply. */
  silent: boolean;
  /** The client takes any number of replies: a `hello` that waits is answered again and again. */
  stream: boolean;
  /** Sent as OP_QUERY, as only a driver's first `hello` is; the reply must be an OP_REPLY. */
  legacy: boolean;
}

/** Lists that stay raw when they stand in the body. */
const rawLists: Readonly<Record<string, string>> = { insert: 'documents' };

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
  const request: Request = {
    id,
    body: undefined as unknown as Document,
    sequences: new Map(),
    silent: (flags & messageFlags.moreToCome) !== 0,
    stream: false,
    legacy: false,
  };
  for (let at = headerBytes + 4; at < end;) at = readSection(bytes, at, end, request);
  if (!request.body) throw new BadFrame('a message without a body');
  request.stream = (flags & messageFlags.exhaustAllowed) !== 0 && waits(request.body);
  return request;
}

const waits = ({ hello, topologyVersion, maxAwaitTimeMS }: Document): boolean =>
  hello !== undefined && topologyVersion !== undefined && maxAwaitTimeMS !== undefined;

function readSection(bytes: Buffer, at: number, end: number, request: Request): number {
  const kind = bytes[at];
  if (end - at < 6) throw new BadFrame('a section is cut off');
  const size = bytes.readInt32LE(at + 1);
  const next = at + 1 + size;
  if (size < 5 || next > end) throw new BadFrame('a section is longer than its message');
  if (kind === 0 && !request.body) readBody(bytes.subarray(at + 1, next), request);
  else if (kind === 1) readSequence(bytes, at + 5, next, request);
  else throw new BadFrame(`section kind ${kind} is not served`);
  return next;
}

function readSequence(bytes: Buffer, start: number, end: number, { sequences }: Request): void {
  const nameEnd = bytes.indexOf(0, start);
  if (nameEnd < 0 || nameEnd >= end) throw new BadFrame('a section without a name');
  const documents: RawDoc[] = [];
  for (let at = nameEnd + 1; at < end;) {
    const size = end - at < 5 ? 0 : bytes.readInt32LE(at);
    if (size < 5 || at + size > end) throw new BadFrame('a document is longer than its section');
    documents.push(bytes.toString('latin1', at, at + size));
    at += size;
  }
  sequences.set(bytes.toString('utf8', start, nameEnd), documents);
}

/** Decodes the command, leaving the documents of an insert as they are. */
function readBody(bytes: Buffer, request: Request): void {
  const list = rawLists[bytes.toString('latin1', 5, Math.max(5, bytes.indexOf(0, 5)))];
  const at = list === undefined ? undefined : listNamed(bytes, list);
  if (!at || list === undefined) {
    request.body = decode(bytes);
    return;
  }
  request.sequences.set(list, documentsIn(bytes, at.value, at.end));
  const rest = Buffer.concat([bytes.subarray(0, at.begin), bytes.subarray(at.end)]);
  rest.writeInt32LE(rest.length, 0);
  request.body = decode(rest);
}

interface Place {
  begin: number;
  value: number;
  end: number;
}

/** Where the array with this name is among the elements of the document that fills `bytes`. */
function listNamed(bytes: Buffer, name: string): Place | undefined {
  for (const { begin, value, end } of elementsOf(bytes, 0, bytes.length)) {
    if (bytes[begin] === T.array && bytes.toString('latin1', begin + 1, value - 1) === name)
      return { begin, value, end };
  }
  return undefined;
}

function documentsIn(bytes: Buffer, start: number, limit: number): RawDoc[] {
  const documents: RawDoc[] = [];
  for (const { begin, value, end } of elementsOf(bytes, start, limit)) {
    if (bytes[begin] !== T.object)
      throw new MongoError('TypeMismatch', 'every element of documents must be a document');
    documents.push(bytes.toString('latin1', value, end));
  }
  return documents;
}

function* elementsOf(bytes: Buffer, start: number, limit: number): Iterable<Place> {
  const broken = (): never => {
    throw new MongoError(22, 'invalid BSON in the command');
  };
  if (limit - start < 5 || start + bytes.readInt32LE(start) !== limit) broken();
  for (let begin = start + 4; begin < limit - 1;) {
    const value = bytes.indexOf(0, begin + 1) + 1;
    if (value === 0 || value + 4 > bytes.length) broken();
    const size = valueSize(bytes[begin]!, bytes, value);
    const end = value + size;
    if (size < 0 || end > limit - 1) broken();
    yield { begin, value, end };
    begin = end;
  }
}

/** The driver's first `hello`: flags, "admin.$cmd", numbers to skip and to return, then the command. */
function readQuery(bytes: Buffer, id: number): Request {
  const nameEnd = bytes.indexOf(0, headerBytes + 4);
  if (nameEnd < 0 || nameEnd + 14 > bytes.length) throw new BadFrame('a query without a document');
  const body = decode(bytes.subarray(nameEnd + 9));
  body['$db'] = bytes.toString('utf8', headerBytes + 4, bytes.indexOf('.', headerBytes + 4));
  return { id, body, sequences: new Map(), silent: false, stream: false, legacy: true };
}
