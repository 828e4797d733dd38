import { once } from 'node:events';
import type { Bench, Started } from './bench.js';

/** Closed-loop load: every connection sends its next request when it has the whole answer to the last one. */
export interface LoadPlan {
  port: number;
  connections: number;
  /** Whole HTTP/1.1 requests, latin1; taken in order by all connections together, from `first` on, over and over. */
  requests: string[];
  first?: number;
  /** Time to send for; answers under way are then awaited. */
  durationMs?: number;
  /** Or: how many requests to send. */
  total?: number;
}

export interface LoadResult {
  /** Whole answers by status code, all that were sent. */
  statuses: Record<number, number>;
  /** Answers per second. */
  perSecond: number;
  p50: number;
  p99: number;
  /** Connections that broke; their last request may or may not have been answered. */
  broken: number;
  /** First few reasons for broken connections. */
  reasons: string[];
  /** Share of one core that the generator itself took; near 1 it and not the server is the bound. */
  ownCpu: number;
}

/** A process that makes load, kept over rounds so that all meet it equally warm. */
export class LoadGenerator {
  private constructor(private readonly child: Started) {}

  static async start(bench: Bench): Promise<LoadGenerator> {
    return new LoadGenerator(await bench.own('load-generator'));
  }

  /** Runs one plan. Rejects when a connection broke: nothing could be counted then. */
  async run(plan: LoadPlan): Promise<LoadResult> {
    this.child.process.send(plan);
    const [result] = (await once(this.child.process, 'message')) as [LoadResult];
    if (result.broken) throw new Error(`${result.broken} connections broke: ${result.reasons.join('; ')}`);
    return result;
  }
}

/** Answers of one status. */
export const answersOf = ({ statuses }: LoadResult, status: number): number => statuses[status] ?? 0;

/** A whole GET request. */
export function getRequest(path: string, headers: Record<string, string>): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`;
}

/** A whole POST request with a JSON body. */
export function postRequest(path: string, headers: Record<string, string>, body: unknown): string {
  const json = JSON.stringify(body);
  const fields = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(json)) };
  return getRequest(path, fields).replace('GET', 'POST') + Buffer.from(json).toString('latin1');
}
