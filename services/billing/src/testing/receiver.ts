import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A webhook as posted by the provider. */
export interface Posted {
  payload: Buffer;
  signature: string;
  id: string;
  type: string;
  /** The provider's customer id; undefined if the webhook concerns none. */
  customer: string | undefined;
}

type Event = { id: string; type: string; data: { object: { customer?: string } } };

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a receiver of the provider's webhooks. It passes them to `forward` and reports failures to the provider. While
 * `hold` is set, it acknowledges webhooks and only stores them, so that the test can deliver them.
 */
export async function startReceiver() {
  const posted: Posted[] = [];
  const receiver = {
    posted,
    hold: false,
    forward: (_posted: Posted): Promise<unknown> => Promise.reject(new Error('not connected yet')),
    /** Returns the received webhooks of a type, in order. */
    of: (type: string) => posted.filter((one) => one.type === type),
    url: '',
    stop: () => close(server),
  };
  const server = createServer((request, response) => {
    void (async () => {
      const payload = await buffer(request);
      const { id, type, data } = JSON.parse(payload.toString()) as Event;
      const signature = String(request.headers['stripe-signature']);
      const webhook = { payload, signature, id, type, customer: data.object.customer };
      posted.push(webhook);
      const failed = receiver.hold
        ? false
        : await receiver.forward(webhook).then(
            () => false,
            () => true,
          );
      response.writeHead(failed ? 500 : 200).end();
    })();
  });
  receiver.url = await listenOnLoopback(server);
  return receiver;
}

/** Makes a server listen on a free port of loopback. Resolves with its URL. */
export function listenOnLoopback(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
