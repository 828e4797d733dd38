import { createServer } from 'node:http';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { State, type Loss } from '@tautan/append-log';
import { closeHttp, listen, type Log } from '@tautan/kit';
import { createHandler } from './handler.js';
import { Sandbox } from './sandbox.js';
import { Scheduler } from './scheduler.js';
import { Deliverer } from './webhooks/deliverer.js';

export interface PaymentsOptions {
  /** 0 chooses a free port. */
  port: number;
  host: string;
  /** Folder of `payments.log`. Created if it does not exist. */
  dataDir: string;
  /** API key that requests must present. */
  secretKey: string;
  /** Secret that signs events. */
  webhookSecret: string;
  /** URL that receives events. */
  webhookUrl: string;
  /** Public URL of the pages, without a trailing slash. Default: localhost and the port. */
  baseUrl?: string;
  /** Returns the current time in Unix milliseconds. */
  now?: () => number;
  log: Log;
  /** Repairs a damaged `payments.log`, keeping all valid records. Default: false. */
  repair?: boolean;
  /** Receives a message for each loss found when opening the file, in addition to `log`. */
  onLoss?: (message: string) => void;
}

export interface RunningPayments {
  /** Base URL of the API and the pages, without a trailing slash. */
  url: string;
  port: number;
  /** Finishes requests in progress, then closes the file. */
  stop(): Promise<void>;
}

const DRAIN_MS = 2_000;

/**
 * Starts the payment sandbox. Rejects with a one-sentence message, leaving nothing running, if the port is in use, or
 * if the data cannot be read or is damaged.
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
    const scheduler = new Scheduler(sandbox, state, log);
    server.on('request', createHandler({ sandbox, secretKey, log, baseUrl: url }));
    deliverer.start();
    scheduler.start();
    const stop = async (): Promise<void> => {
      await closeHttp(server, DRAIN_MS);
      await scheduler.stop();
      await deliverer.stop();
      await state.close();
    };
    return { url, port, stop };
  } catch (error) {
    await state.close();
    throw error;
  }
}
