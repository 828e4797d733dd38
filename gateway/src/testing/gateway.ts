import { readGatewayConfig, start } from '../index.js';
import { startPeers, type TestPeers } from './peers.js';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  data: never;
  error: { code: string; message: string; field?: string } | null;
  meta: { requestId: string; timestamp: string; page?: { limit: number; hasMore: boolean; nextCursor?: string } };
}

export interface TestGateway {
  url: string;
  adminUrl: string;
  peers: TestPeers;
  /** Sends a request under /api/v1 with the key; a string or bytes as they are, anything else as JSON. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  stop(): Promise<void>;
}

/** A gateway on free ports in front of test peers. */
export async function startGateway(settings: Record<string, string> = {}): Promise<TestGateway> {
  const peers = await startPeers();
  const gateway = await start(
    readGatewayConfig({
      LOG_LEVEL: 'silent',
      BIND_HOST: '127.0.0.1',
      ADMIN_PORT: '0',
      GATEWAY_PORT: '0',
      LINKS_ADDRESS: peers.address,
      WORKSPACES_ADDRESS: peers.address,
      NATS_URL: 'nats://127.0.0.1:1',
      RATE_LIMITS_BUSINESS: '100000/100000',
      RATE_LIMIT_PUBLIC: '100000',
      ...settings,
    }),
  );
  const url = `http://127.0.0.1:${gateway.addresses['http']}`;
  return {
    url,
    adminUrl: `http://127.0.0.1:${gateway.addresses['admin']}`,
    peers,
    request: (method, path, body, headers) => send(`${url}/api/v1${path}`, peers.key, method, body, headers),
    stop: async () => {
      await gateway.stop();
      await peers.stop();
    },
  };
}

async function send(
  url: string,
  key: string,
  method: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: (raw ? body : JSON.stringify(body)) as string }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { ...(json ? (JSON.parse(text) as object) : {}), status: response.status, headers: response.headers, text } as Answer;
}
