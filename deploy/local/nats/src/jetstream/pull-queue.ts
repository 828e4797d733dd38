import { statusHeader } from '../protocol/headers.js';
import type { Router } from '../routing/router.js';
import type { ConsumerConfig } from './consumer-config.js';
import { RefusedPull, type PullRequest } from './pull-request.js';

const empty = Buffer.alloc(0);

/** The pull requests that wait at one consumer, served in turn, a message each. */
export class PullQueue {
  #waiting: PullRequest[] = [];

  /** `heartbeat` makes the sign of life for those who asked for one. */
  constructor(
    private readonly router: Router,
    private readonly heartbeat: () => Buffer,
  ) {}

  get length(): number {
    return this.#waiting.length;
  }

  /** Takes a request, `ready` being the messages that could be given out now. Throws RefusedPull. */
  add(request: PullRequest, config: ConsumerConfig, ready: number, now: number): void {
    const { batch, bytes, expires, noWait, heartbeat } = request;
    const { max_batch: maxBatch, max_expires: maxExpires, max_bytes: maxBytes, max_waiting: maxWaiting } = config;
    if (maxBatch && batch > maxBatch) throw new RefusedPull(`409 Exceeded MaxRequestBatch of ${maxBatch}`);
    if (maxExpires && expires > now + maxExpires / 1e6) {
      throw new RefusedPull(`409 Exceeded MaxRequestExpires of ${maxExpires / 1e6}ms`);
    }
    if (maxBytes && bytes > maxBytes) throw new RefusedPull(`409 Exceeded MaxRequestMaxBytes of ${maxBytes}`);
    if (noWait && ready === 0 && expires === 0) throw new RefusedPull('404 No Messages');
    if (this.length >= maxWaiting || noWait) this.sweep(now, false);
    if (noWait && ready > 0 && ready < this.#wanted()) throw new RefusedPull('408 Requests Pending');
    // One who is owed heartbeats notices their absence; telling it would make it ask again at once, and again.
    if (this.length >= maxWaiting) throw new RefusedPull(heartbeat > 0 ? undefined : '409 Exceeded MaxWaiting');
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

  /** Tells a request that is fulfilled with bytes to spare. */
  finish({ reply, batch, bytes }: PullRequest): void {
    if (batch <= 0 && bytes > 0) this.send(reply, '409 Batch Completed', { batch: 0, bytes });
  }

  /**
   * Ends requests that have expired or that nobody listens for any more, and sends heartbeats. With `exhausted` (there is
   * nothing to deliver now) also those that do not want to wait. Answers when to look again, or undefined.
   */
  sweep(now: number, exhausted: boolean): number | undefined {
    let next = Infinity;
    this.#waiting = this.#waiting.filter((request) => {
      if (this.#hasEnded(request, now, exhausted)) return false;
      if (request.nextHeartbeat > 0 && request.nextHeartbeat <= now) {
        this.#publish(request.reply, this.heartbeat());
        request.nextHeartbeat = now + request.heartbeat;
      }
      next = Math.min(next, request.expires || Infinity, request.nextHeartbeat || Infinity);
      return true;
    });
    return next === Infinity ? undefined : next;
  }

  /** Ends every request with a status. */
  clear(status: string): void {
    for (const { reply } of this.#waiting.splice(0)) this.send(reply, status);
  }

  /** Sends a status about a request, with what it has left where that matters. */
  send(reply: string, status: string, left?: { batch: number; bytes: number }): void {
    const fields = left && { 'Nats-Pending-Messages': left.batch, 'Nats-Pending-Bytes': left.bytes };
    this.#publish(reply, statusHeader(status, fields));
  }

  #wanted(): number {
    return this.#waiting.reduce((sum, { batch }) => sum + batch, 0);
  }

  #hasEnded(request: PullRequest, now: number, exhausted: boolean): boolean {
    if (request.expires > 0 && request.expires <= now) {
      this.send(request.reply, '408 Request Timeout', request);
      return true;
    }
    if (exhausted && request.noWait && (request.expires === 0 || request.delivered > 0)) {
      this.send(request.reply, '404 No Messages');
      return true;
    }
    return !this.router.hasInterest(request.reply);
  }

  /** Ends the first request. */
  #end(status: string): void {
    const request = this.#waiting.shift();
    if (request) this.send(request.reply, status, request);
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
