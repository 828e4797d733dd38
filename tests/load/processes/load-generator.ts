import { connect, type Socket } from 'node:net';
import type { LoadPlan, LoadResult } from '../load.js';
import { Latencies } from '../statistics.js';

/** A connection that sends one request after another until the run is over. */
class Connection {
  #text = '';
  #sentAt = 0;
  #waiting = false;
  readonly #socket: Socket;

  constructor(
    private readonly run: Run,
    port: number,
  ) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      // Bypasses Node.js streams, so that the generator uses much less CPU than the measured server.
      onread: { buffer: Buffer.allocUnsafe(65_536), callback: (bytes, buffer) => this.#take(bytes, buffer) },
    });
    this.#socket.once('connect', () => this.#send());
    this.#socket.once('error', (error) => this.#break(error.message));
    this.#socket.once('close', () => {
      if (this.#waiting) run.broke('closed before the response');
      run.ended();
    });
  }

  #send(): void {
    const request = this.run.next();
    if (!request) return void this.#socket.destroy();
    this.#waiting = true;
    this.#sentAt = performance.now();
    this.#socket.write(request);
  }

  #take(bytes: number, buffer: Uint8Array): boolean {
    const text = this.#text + (buffer as Buffer).toString('latin1', 0, bytes);
    const head = text.indexOf('\r\n\r\n');
    const length = head < 0 ? 0 : contentLength(text.slice(0, head));
    if (length === undefined) return this.#break('a response without Content-Length');
    const missing = head < 0 ? 1 : head + 4 + length - text.length;
    this.#text = missing > 0 ? text : '';
    if (missing > 0) return true;
    if (missing < 0) return this.#break('more bytes than Content-Length');
    this.#waiting = false;
    this.run.answered(Number(text.slice(9, 12)), performance.now() - this.#sentAt);
    this.#send();
    return true;
  }

  #break(reason: string): false {
    this.#waiting = false;
    this.run.broke(reason);
    this.#socket.destroy();
    return false;
  }
}

function contentLength(head: string): number | undefined {
  const found = /\r\ncontent-length: *(\d+)/i.exec(head);
  return found ? Number(found[1]) : undefined;
}

/** The execution of one plan. */
class Run {
  readonly #requests: Buffer[];
  readonly #latencies = new Latencies();
  readonly #statuses: Record<number, number> = {};
  readonly #reasons: string[] = [];
  readonly #startedAt = performance.now();
  readonly #cpu = process.cpuUsage();
  readonly #until: number;
  #sent = 0;
  #answers = 0;
  #open: number;
  #lastAt = 0;

  constructor(
    private readonly plan: LoadPlan,
    private readonly done: (result: LoadResult) => void,
  ) {
    this.#requests = plan.requests.map((request) => Buffer.from(request, 'latin1'));
    this.#until = this.#startedAt + (plan.durationMs ?? Infinity);
    this.#open = plan.connections;
    for (let i = 0; i < plan.connections; i += 1) new Connection(this, plan.port);
  }

  /** Returns the next request to send, or undefined if the plan is complete. */
  next(): Buffer | undefined {
    if (this.#sent >= (this.plan.total ?? Infinity) || performance.now() >= this.#until) return undefined;
    const at = ((this.plan.first ?? 0) + this.#sent) % this.#requests.length;
    this.#sent += 1;
    return this.#requests[at];
  }

  answered(status: number, ms: number): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#answers += 1;
    this.#latencies.add(ms);
    this.#lastAt = performance.now();
  }

  broke(reason: string): void {
    this.#reasons.push(reason);
  }

  ended(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    const ms = this.#lastAt - this.#startedAt;
    const { user, system } = process.cpuUsage(this.#cpu);
    this.done({
      statuses: this.#statuses,
      perSecond: (this.#answers / ms) * 1_000,
      p50: this.#latencies.percentile(0.5),
      p99: this.#latencies.percentile(0.99),
      broken: this.#reasons.length,
      reasons: this.#reasons.slice(0, 3),
      ownCpu: (user + system) / 1_000 / ms,
    });
  }
}

process.on('message', (plan: LoadPlan) => new Run(plan, (result) => process.send?.(result)));
process.on('disconnect', () => process.exit(0));
process.send?.({ ports: {} });
