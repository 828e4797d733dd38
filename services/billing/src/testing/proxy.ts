import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { close, listenOnLoopback } from './receiver.js';

export type Proxy = Awaited<ReturnType<typeof startProxy>>;
/** An error response with a Retry-After header. */
export interface RetryLater {
  status: number;
  retryAfter: string;
}
/** A response in place of the provider's. */
export interface Substitute {
  status: number;
  body: object;
}
const isSubstitute = (action: unknown): action is Substitute =>
  typeof action === 'object' && action !== null && 'body' in action;
const isRetryLater = (action: unknown): action is RetryLater =>
  typeof action === 'object' && action !== null && 'retryAfter' in action;
type ProxiedRequest = { method: string; path: string; body: string };

/**
 * Starts a proxy between the service and the provider, with which tests can make the provider fail, hang, or respond
 * late.
 */
export async function startProxy(target: string) {
  const requests: ProxiedRequest[] = [];
  const proxy = {
    requests,
    /**
     * Decides what happens to a request: `pass` by default. `fail` responds with 500, and `hang` never responds. `lose`
     * passes the request on and drops the response; a promise delays the response until it resolves.
     */
    rule: (_request: ProxiedRequest): 'pass' | 'fail' | 'hang' | 'lose' | RetryLater | Substitute | Promise<unknown> =>
      'pass',
    reset: () => void (proxy.rule = () => 'pass'),
    /**
     * Passes the first matching request on, but holds the response until `release` is called. `requested` resolves when
     * the proxy receives the request, before the provider has processed it.
     */
    holdResponse: (matches: (request: ProxiedRequest) => boolean) => {
      let arrived = (): void => undefined;
      let release = (): void => undefined;
      const requested = new Promise<void>((resolve) => (arrived = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      let isFirst = true;
      proxy.rule = (request) => {
        if (!isFirst || !matches(request)) return 'pass';
        isFirst = false;
        arrived();
        return released;
      };
      return { requested, release };
    },
    url: '',
    stop: () => close(server),
  };
  const server = createServer((request, response) => {
    // `answer` rejects if the client has disconnected or the provider cannot be reached.
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    const proxied = { method, path: url, body: body.toString() };
    requests.push(proxied);
    const action = proxy.rule(proxied);
    if (action === 'hang') return;
    if (action === 'fail') return void response.writeHead(500, { 'stripe-should-retry': 'false' }).end('{"error":{}}');
    if (isRetryLater(action)) {
      const { status, retryAfter } = action;
      const later = { 'retry-after': retryAfter, 'stripe-should-retry': 'false' };
      return void response.writeHead(status, later).end('{"error":{}}');
    }
    if (isSubstitute(action)) {
      response.writeHead(action.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(action.body));
    }
    const passed = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name));
    const result = await fetch(`${target}${url}`, {
      method,
      headers: passed as [string, string][],
      ...(body.length > 0 && { body }),
    });
    const text = await result.text();
    if (action === 'lose') return void response.destroy();
    if (action !== 'pass') await action;
    response.writeHead(result.status, { 'content-type': 'application/json' }).end(text);
  }

  proxy.url = await listenOnLoopback(server);
  return proxy;
}

/**
 * Returns a rule that makes the provider respond as if a customer was deleted, belonged to test mode, or was unknown.
 */
export const withoutCustomer =
  (customerId: string, why: 'deleted' | 'in test mode' | 'unknown') =>
  ({ path, body }: ProxiedRequest): 'pass' | Substitute => {
    const hint = why === 'in test mode' ? '; a similar object exists in test mode, but a live mode key was used' : '';
    const error = { type: 'invalid_request_error', code: 'resource_missing', message: `No such customer${hint}` };
    if (`${path} ${body}`.includes(`customer=${customerId}`))
      return { status: 400, body: { error: { ...error, param: 'customer' } } };
    if (path !== `/v1/customers/${customerId}`) return 'pass';
    if (why === 'deleted') return { status: 200, body: { id: customerId, object: 'customer', deleted: true } };
    return { status: 404, body: { error: { ...error, param: 'id' } } };
  };
