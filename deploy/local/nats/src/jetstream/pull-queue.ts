import { statusHeader } from '../protocol/headers.js';
import type { Router } from '../routing/router.js';
import type { ConsumerConfig } from './consumer-config.js';
import { RefusedPull, type PullRequest } from './pull-request.js';

const empty = Buffer.alloc(0);

/** Waiting pull requests of a consumer, served in round-robin order. */
export class PullQueue {
  #waiting: PullRequest[] = [];

  /** `heartbeat` creates the heartbeat status. */
  constructor(
    private readonly router: Router,
    private readonly heartbeat: () => Buffer,
  ) {}

  get length(): number {
    return this.#waiting.length;
  }

  /** Adds a request. `ready` is the number of messages that can be delivered now. Throws RefusedPull. */
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
    // Send no status to a client that expects heartbeats: it notices that they are missing, and a status would make it
    // retry in a tight loop.
    if (this.length >= maxWaiting) throw new RefusedPull(heartbeat > 0 ? undefined : '409 Exceeded MaxWaiting');
    this.#waiting.push(request);
  }

  /** Assigns a message of `size` bytes to the first request that can accept it. */
  take(size: number, now: number): PullRequest | undefined {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (first.expires > 0 && first.expires <= now) this.#end('408 Request Timeout');
      else if (first.bytes > 0 && size > first.bytes) this.#end('409 Message Size Exceeds MaxBytes');
      else if (!this.router.hasInterest(first.reply)) this.#waiting.shift();
      else return this.#deduct(first, size, now);
    }
    return undefined;
  }

  /** Sends a status if the request is complete but has unused bytes. */
  finish({ reply, batch, bytes }: PullRequest): void {
    if (batch <= 0 && bytes > 0) this.send(reply, '409 Batch Completed', { batch: 0, bytes });
  }

  /**
   * Ends requests that have expired or have no subscriber, and sends heartbeats. With `exhausted` (no message is
   * available), also ends `no_wait` requests that have no expiry or have received a message. Returns the time
   * of the next sweep (Unix ms), or undefined if none is due.
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

  /** Ends all requests with a status. */
  clear(status: string): void {
    for (const { reply } of this.#waiting.splice(0)) this.send(reply, status);
  }

  /** Sends a status to a request, optionally with its remaining messages and bytes. */
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

  /** Deducts a message from a request, and moves the request to the end of the queue unless it is complete. */
  #deduct(request: PullRequest, size: number, now: number): PullRequest {
    this.#waiting.shift();
    request.delivered++;
    request.batch--;
    if (request.bytes > 0) {
      request.bytes -= size;
      // No bytes remain, so this message is the last.
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
