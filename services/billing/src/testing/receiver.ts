import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A notice as the provider posts it. */
export interface Posted {
  payload: Buffer;
  signature: string;
  id: string;
  type: string;
  /** Whom it is about. */
  customer: string | undefined;
}

type Event = { id: string; type: string; data: { object: { customer?: string } } };

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Where the provider posts its notices: they go on by `forward`, whose failure the provider is told of. While `keep` is
 * set they are taken and stay here, for a test to hand on as it likes.
 */
export async function startReceiver() {
  const posted: Posted[] = [];
  const receiver = {
    posted,
    keep: false,
    forward: (_posted: Posted): Promise<unknown> => Promise.reject(new Error('nobody is there yet')),
    /** Notices that came, in their order, of a type. */
    of: (type: string) => posted.filter((one) => one.type === type),
    url: '',
    stop: () => close(server),
  };
  const server = createServer((request, response) => {
    void (async () => {
      const payload = await buffer(request);
      const { id, type, data } = JSON.parse(payload.toString()) as Event;
      const signature = String(request.headers['stripe-signature']);
      const one = { payload, signature, id, type, customer: data.object.customer };
      posted.push(one);
      const failed = receiver.keep ? false : await receiver.forward(one).then(() => false, () => true); // prettier-ignore
      response.writeHead(failed ? 500 : 200).end();
    })();
  });
  receiver.url = await listening(server);
  return receiver;
}

export function listening(server: Server): Promise<string> {
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
