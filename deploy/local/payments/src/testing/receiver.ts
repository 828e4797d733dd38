import { createServer } from 'node:http';
import { closeHttp, listen } from '@tautan/kit';
import Stripe from 'stripe';

/** A webhook receiver that verifies signatures with the official library and records accepted events. */
export class Receiver {
  /** Accepted events, in order of arrival. */
  readonly events: Stripe.Event[] = [];
  /** Status of the responses. Events are recorded only if it is 200. */
  status = 200;
  /** Number of requests. */
  requestCount = 0;
  url = '';
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.writeHead(this.#take(Buffer.concat(chunks), request.headers)).end());
  });

  constructor(private readonly secret: string) {}

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await listen(this.#server, 0, '127.0.0.1')}/hook`;
  }

  stop(): Promise<void> {
    return closeHttp(this.#server, 0);
  }

  /** The types of accepted events, sorted. */
  get types(): string[] {
    return this.events.map(({ type }) => type as string).sort();
  }

  #take(body: Buffer, headers: Record<string, string | string[] | undefined>): number {
    this.requestCount += 1;
    if (this.status !== 200) return this.status;
    try {
      this.events.push(Stripe.webhooks.constructEvent(body, headers['stripe-signature'] as string, this.secret));
      return 200;
    } catch {
      return 400;
    }
  }
}
