/** Operations that clients send (NATS client protocol). */
export type Operation =
  | { op: 'connect'; options: unknown }
  | { op: 'pub'; subject: string; reply: string | undefined; headerBytes: number; body: Buffer }
  | { op: 'sub'; subject: string; queue: string | undefined; sid: string }
  | { op: 'unsub'; sid: string; max: number | undefined }
  | { op: 'ping' }
  | { op: 'pong' }
  | { op: 'ignored' };

/** A protocol violation, which ends the connection. `reply` is sent as `-ERR`, if present. */
export class ProtocolError extends Error {
  constructor(readonly reply: string | undefined) {
    super(reply ?? 'unreadable arguments');
  }
}

interface PendingPublish {
  subject: string;
  reply: string | undefined;
  headerBytes: number;
  /** Buffer for header and payload. */
  body: Buffer;
  filled: number;
}

const maxControlLine = 4096;
const [cr, lf] = [13, 10];
const none = Buffer.alloc(0);

/** Parses the chunks of a connection into operations. */
export class Parser {
  #rest: Buffer = none;
  #publish: PendingPublish | undefined;

  constructor(
    private readonly maxPayload: number,
    private readonly onOperation: (operation: Operation) => void,
  ) {}

  /** Parses the next chunk. Throws ProtocolError, after which the parser must not be used. */
  feed(chunk: Buffer): void {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = none;
    for (;;) {
      const used = this.#publish ? this.#body(this.#publish, bytes) : this.#line(bytes);
      if (used < 0) break;
      bytes = bytes.subarray(used);
    }
    // Copy the rest, so that a few bytes do not keep the whole chunk in memory.
    if (bytes.length > 0) this.#rest = Buffer.from(bytes);
  }

  /** Reads one control line. Returns the number of bytes read, or -1 if the line is incomplete. */
  #line(bytes: Buffer): number {
    const end = bytes.indexOf(lf);
    if ((end < 0 ? bytes.length : end) > maxControlLine) throw new ProtocolError('Maximum Control Line Exceeded');
    if (end < 0) {
      if (bytes.length > 0) checkStart(bytes);
      return -1;
    }
    const line = bytes.toString('utf8', 0, bytes[end - 1] === cr ? end - 1 : end);
    this.#control(line);
    return end + 1;
  }

  #control(line: string): void {
    const blank = line.search(/[ \t]/);
    const verb = (blank < 0 ? line : line.slice(0, blank)).toUpperCase();
    const rest = blank < 0 ? '' : line.slice(blank + 1);
    if (verb === 'PUB') this.#begin(rest.split(/[ \t]+/).filter(Boolean), false);
    else if (verb === 'HPUB') this.#begin(rest.split(/[ \t]+/).filter(Boolean), true);
    else this.onOperation(parseControl(verb, rest));
  }

  #begin(args: string[], headers: boolean): void {
    const sizeCount = headers ? 2 : 1;
    const subjectCount = args.length - sizeCount;
    if (subjectCount < 1 || subjectCount > 2) throw new ProtocolError(undefined);
    const total = parseSize(args.at(-1)!);
    const headerBytes = headers ? parseSize(args.at(-2)!) : 0;
    if (headerBytes > total) throw new ProtocolError(undefined);
    if (total > this.maxPayload) throw new ProtocolError('Maximum Payload Violation');
    const reply = subjectCount === 2 ? args[1] : undefined;
    this.#publish = { subject: args[0]!, reply, headerBytes, body: none, filled: 0 };
    this.#publish.body = Buffer.allocUnsafe(total);
  }

  /** Fills the body of a publish. Returns the number of bytes read, or -1 if more are needed. */
  #body(publish: PendingPublish, bytes: Buffer): number {
    const { body } = publish;
    if (publish.filled < body.length) {
      if (bytes.length === 0) return -1;
      const copied = bytes.copy(body, publish.filled);
      publish.filled += copied;
      return copied;
    }
    if (bytes.length < 2) return -1;
    if (bytes[0] !== cr || bytes[1] !== lf) throw new ProtocolError('Unknown Protocol Operation');
    this.#publish = undefined;
    const { subject, reply, headerBytes } = publish;
    this.onOperation({ op: 'pub', subject, reply, headerBytes, body });
    return 2;
  }
}

/** Throws if the first byte of an incomplete control line cannot start an operation. */
function checkStart(bytes: Buffer): void {
  if (!/[PHSUC+-]/i.test(String.fromCharCode(bytes[0]!))) throw new ProtocolError('Unknown Protocol Operation');
}

function parseControl(verb: string, rest: string): Operation {
  const args = rest.split(/[ \t]+/).filter(Boolean);
  switch (verb) {
    case 'PING':
      return { op: 'ping' };
    case 'PONG':
      return { op: 'pong' };
    case 'CONNECT':
      return { op: 'connect', options: parseOptions(rest) };
    case 'SUB':
      if (args.length < 2 || args.length > 3) throw new ProtocolError(undefined);
      return { op: 'sub', subject: args[0]!, queue: args.length === 3 ? args[1] : undefined, sid: args.at(-1)! };
    case 'UNSUB':
      if (args.length < 1 || args.length > 2) throw new ProtocolError(undefined);
      return { op: 'unsub', sid: args[0]!, max: args[1] === undefined ? undefined : parseSize(args[1]) };
    case '+OK':
    case '-ERR':
      return { op: 'ignored' };
    default:
      throw new ProtocolError('Unknown Protocol Operation');
  }
}

function parseOptions(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ProtocolError(undefined);
  }
}

/** Parses an integer of at most nine digits, the same limit as in nats-server. */
function parseSize(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new ProtocolError(undefined);
  return Number(text);
}
