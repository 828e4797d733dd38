import { statusHeader } from '../protocol/headers.js';
import type { Router } from '../routing/router.js';
import { parseFields } from './fields.js';
import { JetStreamError } from './errors.js';

/** What a client asks for with MSG.NEXT. Times in milliseconds since the epoch, 0 for none. */
export interface PullRequest {
  reply: string;
  /** Messages still wanted. */
  batch: number;
  /** Bytes still wanted; 0 for no limit. */
  bytes: number;
  delivered: number;
  noWait: boolean;
  expires: number;
  /** Milliseconds between signs of life. */
  heartbeat: number;
  nextHeartbeat: number;
}

const empty = Buffer.alloc(0);
const fieldsOf = new Set(['batch', 'expires', 'max_bytes', 'no_wait', 'idle_heartbeat']);

/** Reads the payload of MSG.NEXT: nothing, a number of messages, or a JSON object. Throws JetStreamError. */
export function pullRequest(reply: string, payload: Buffer, now: number): PullRequest {
  const text = payload.toString('utf8').trim();
  if (!text.startsWith('{')) return request(reply, { batch: /^\d+$/.test(text) ? Number(text) : 1 }, now);
  const fields = parseFields(payload);
  const unknown = Object.keys(fields).find((name) => !fieldsOf.has(name) && fields[name]);
  if (unknown) throw new JetStreamError('invalidJson', `unknown field "${unknown}"`);
  for (const name of ['batch', 'expires', 'max_bytes', 'idle_heartbeat']) {
    const value = fields[name] ?? 0;
    if (!Number.isSafeInteger(value)) throw new JetStreamError('invalidJson', `field ${name} must be a number`);
  }
  const { expires = 0, idle_heartbeat: heartbeat = 0 } = fields as Record<string, number>;
  if (heartbeat > 0 && heartbeat * 2 > expires) throw new Error('heartbeat value too large');
  return request(reply, fields, now);
}

function request(reply: string, fields: Record<string, unknown>, now: number): PullRequest {
  const number = (name: string): number => (fields[name] as number | undefined) ?? 0;
  const heartbeat = number('idle_heartbeat') / 1e6;
  return {
    reply,
    batch: Math.max(1, number('batch')),
    bytes: Math.max(0, number('max_bytes')),
    delivered: 0,
    noWait: fields['no_wait'] === true,
    expires: number('expires') > 0 ? now + number('expires') / 1e6 : 0,
    heartbeat,
    nextHeartbeat: heartbeat > 0 ? now + heartbeat : 0,
  };
}

/** The pull requests that wait at one consumer, served in turn, a message each. */
export class PullQueue {
  #waiting: PullRequest[] = [];

  constructor(private readonly router: Router) {}

  get length(): number {
    return this.#waiting.length;
  }

  /** Messages wanted by all together. */
  get wanted(): number {
    return this.#waiting.reduce((sum, { batch }) => sum + batch, 0);
  }

  add(request: PullRequest): void {
    this.#waiting.push(request);
  }

  /** Gives a message of `size` bytes to the first request that can take it, and counts it there. */
  take(size: number, now: number): PullRequest | undefined {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (first.expires > 0 && first.expires <= now) this.#end('408 Request Timeout');
      else if (first.bytes > 0 && size > first.bytes) this.#end('409 Message Size Exceeds MaxBytes');
      else if (!this.router.hasInterest(first.reply)) this.#waiting.shift();
      else return this.#count(first, size, now);
    }
    return undefined;
  }

  /**
   * Ends requests that have expired or that nobody listens for any more, and sends heartbeats. With `exhausted` (there is
   * nothing to deliver now) also those that do not want to wait. Answers when to look again, or undefined.
   */
  sweep(now: number, exhausted: boolean, heartbeat: () => Buffer): number | undefined {
    let next = Infinity;
    this.#waiting = this.#waiting.filter((request) => {
      const ended = this.#ended(request, now, exhausted);
      if (ended !== undefined) {
        if (ended !== '') this.send(request.reply, ended);
        return false;
      }
      if (request.nextHeartbeat > 0 && request.nextHeartbeat <= now) {
        this.#publish(request.reply, heartbeat());
        request.nextHeartbeat = now + request.heartbeat;
      }
      next = Math.min(next, request.expires || Infinity, request.nextHeartbeat || Infinity);
      return true;
    });
    return next === Infinity ? undefined : next;
  }

  /** Ends every request with a status. */
  clear(status: string): void {
    for (const { reply } of this.#waiting.splice(0)) this.#publish(reply, statusHeader(status));
  }

  /** Sends a status about a request. */
  send(reply: string, status: string, fields?: Record<string, string | number>): void {
    this.#publish(reply, statusHeader(status, fields));
  }

  /** Why a request ends, with its header's fields; '' without a word; undefined when it goes on. */
  #ended(request: PullRequest, now: number, exhausted: boolean): string | undefined {
    if (request.expires > 0 && request.expires <= now) return `408 Request Timeout${left(request)}`;
    if (exhausted && request.noWait && (request.expires === 0 || request.delivered > 0)) return '404 No Messages';
    return this.router.hasInterest(request.reply) ? undefined : '';
  }

  /** Ends the first request. */
  #end(status: string): void {
    const request = this.#waiting.shift();
    if (request) this.send(request.reply, status + left(request));
  }

  #count(request: PullRequest, size: number, now: number): PullRequest {
    this.#waiting.shift();
    request.delivered++;
    request.batch--;
    if (request.bytes > 0) {
      request.bytes -= size;
      // Used up to the byte: this message is the last.
      if (request.bytes === 0) request.batch = 0;
    }
    if (request.heartbeat > 0) request.nextHeartbeat = now + request.heartbeat;
    if (request.batch > 0) this.#waiting.push(request);
    return request;
  }

  #publish(reply: string, header: Buffer): void {
    this.router.publish({ subject: reply, header, payload: empty });
  }
}

const left = ({ batch, bytes }: PullRequest): string =>
  `\r\nNats-Pending-Messages: ${batch}\r\nNats-Pending-Bytes: ${bytes}`;
