import { once } from 'node:events';
import type { Bench, Started } from './bench.js';

/** Closed-loop load: every connection sends its next request after it has received the complete previous response. */
export interface LoadPlan {
  port: number;
  connections: number;
  /**
   * Raw HTTP/1.1 requests in latin1. Each connection takes the next request of the list, which all connections share.
   * After the last request, the list starts again.
   */
  requests: string[];
  /** Index of the request that is sent first. */
  first?: number;
  /** Time during which requests are sent, in milliseconds. Pending responses are awaited afterwards. */
  durationMs?: number;
  /** Total number of requests to send. */
  total?: number;
}

export interface LoadResult {
  /** Number of complete responses by status code. */
  statuses: Record<number, number>;
  /** Responses per second. */
  perSecond: number;
  /** Latency percentiles in milliseconds. */
  p50: number;
  p99: number;
  /** Number of broken connections. Their last requests may or may not have been processed. */
  broken: number;
  /** Reasons why connections broke, at most three. */
  reasons: string[];
  /** CPU utilization of the generator itself, 0 to 1. Near 1, the generator is the bottleneck. */
  ownCpu: number;
}

/** A load generator process. It is reused for all rounds, so that its warm-up affects only the first one. */
export class LoadGenerator {
  private constructor(private readonly child: Started) {}

  static async start(bench: Bench): Promise<LoadGenerator> {
    return new LoadGenerator(await bench.startProcess('load-generator'));
  }

  /** Runs one plan. Rejects if a connection breaks, because the counts would be wrong. */
  async run(plan: LoadPlan): Promise<LoadResult> {
    this.child.process.send(plan);
    const [result] = (await once(this.child.process, 'message')) as [LoadResult];
    if (result.broken) throw new Error(`${result.broken} connections broke: ${result.reasons.join('; ')}`);
    return result;
  }
}

/**
 * Repeats an uncounted round until the server is warm: none of three rounds in a row was more than 2% faster than the
 * fastest before it. Stops after 20 rounds.
 */
export async function warmUp(round: () => Promise<{ perSecond: number }>): Promise<void> {
  let highest = 0;
  for (let rounds = 0, flat = 0; rounds < 20 && flat < 3; rounds += 1) {
    const { perSecond } = await round();
    flat = perSecond > highest * 1.02 ? 0 : flat + 1;
    highest = Math.max(highest, perSecond);
  }
}

/** Returns the number of responses with the given status. */
export const responseCount = ({ statuses }: LoadResult, status: number): number => statuses[status] ?? 0;

/** Returns a raw GET request. */
export function getRequest(path: string, headers: Record<string, string>): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`;
}

/** Returns a raw POST request with a JSON body. */
export function postRequest(path: string, headers: Record<string, string>, body: unknown): string {
  const json = JSON.stringify(body);
  const fields = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(json)) };
  return getRequest(path, fields).replace('GET', 'POST') + Buffer.from(json).toString('latin1');
}
