import { createServer } from 'node:http';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { State, type Loss } from '@tautan/append-log';
import { closeHttp, listen, type Log } from '@tautan/kit';
import { createHandler } from './handler.js';
import { Clock } from './clock.js';
import { Sandbox } from './sandbox.js';
import { Deliverer } from './webhooks/deliverer.js';

export interface PaymentsOptions {
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** Holds `payments.log`; made when it is not there. */
  dataDir: string;
  /** What requests are authorised with. */
  secretKey: string;
  /** What events are signed with. */
  webhookSecret: string;
  /** Where events are posted to. */
  webhookUrl: string;
  /** The sandbox's own origin, where browsers reach its pages. Default: localhost and the port. */
  baseUrl?: string;
  /** Milliseconds since 1970. */
  now?: () => number;
  log: Log;
  /** Opens a damaged `payments.log` too, with everything whole in it; default false. */
  repair?: boolean;
  /** Receives one sentence for each loss at opening, in addition to `log`. */
  onLoss?: (message: string) => void;
}

export interface RunningPayments {
  /** Where the API and the pages are, without a slash at the end. */
  url: string;
  port: number;
  /** Finishes requests in progress, then closes the file. */
  stop(): Promise<void>;
}

const DRAIN_MS = 2_000;

/**
 * Starts the payments sandbox. Rejects with one plain sentence when the port is taken, or when the data cannot be read
 * or is damaged; nothing is left running then.
 */
export async function startPayments(options: PaymentsOptions): Promise<RunningPayments> {
  const { port: wanted, host, dataDir, secretKey, webhookSecret: secret, webhookUrl, now = Date.now, log } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const onLoss = ({ message }: Loss): void => {
    log.warn(message);
    options.onLoss?.(message);
  };
  const state = await State.open(join(dataDir, 'payments.log'), { onLoss, repair: options.repair ?? false, now });
  const deliverer = new Deliverer({ state, url: webhookUrl, secret, log });
  const server = createServer();
  try {
    const port = await listen(server, wanted, host);
    const url = options.baseUrl ?? `http://localhost:${port}`;
    const sandbox = new Sandbox({ state, now, baseUrl: url, onEvents: (ids) => deliverer.add(ids) });
    const clock = new Clock(sandbox, state, log);
    server.on('request', createHandler({ sandbox, secretKey, log, baseUrl: url }));
    deliverer.start();
    clock.start();
    const stop = async (): Promise<void> => {
      await closeHttp(server, DRAIN_MS);
      await clock.stop();
      await deliverer.stop();
      await state.close();
    };
    return { url, port, stop };
  } catch (error) {
    await state.close();
    throw error;
  }
}
