import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** An event as delivered by a webhook. */
export interface ReceivedEvent {
  id: string;
  type: string;
  createdAt: string;
  workspaceId: string;
  data: Record<string, unknown>;
  changes?: Record<string, { before: unknown; after: unknown }>;
}

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  event: ReceivedEvent;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Returns the number of connections accepted so far. */
  connections(): number;
  /** Requests with an event of a type. */
  of(type: string): Received[];
  /** Requests to a path. */
  at(path: string): Received[];
  /** Responds to a request; 204 by default. */
  answer: (response: ServerResponse, path: string) => void;
  /** Holds back the responses until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

/** Starts a receiver of webhooks, with TLS if a certificate is given. */
export async function startReceiver(tls?: { cert: string; key: string }): Promise<Receiver> {
  const received: Received[] = [];
  let gate = Promise.resolve();
  const receiver: Pick<Receiver, 'answer'> = { answer: (response) => void response.writeHead(204).end() };
  const listener: RequestListener = (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const path = request.url!;
      received.push({ path, headers: request.headers, text, event: JSON.parse(text) as ReceivedEvent });
      void gate.then(() => receiver.answer(response, path));
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(receiver, {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    connections: () => connections,
    of: (type: string) => received.filter(({ event }) => event.type === type),
    at: (path: string) => received.filter((each) => each.path === path),
    hold: () => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

/** Throws unless a delivery was signed with the secret (Standard Webhooks, official library). */
export const verifySigned = ({ headers, text }: Received, secret: string): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);
