import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { close, listening } from './receiver.js';

export type Proxy = Awaited<ReturnType<typeof startProxy>>;
/** A response that asks for another attempt later. */
export interface Later {
  status: number;
  retryAfter: string;
}
const isLater = (what: unknown): what is Later => typeof what === 'object' && what !== null && 'retryAfter' in what;
type Asked = { method: string; path: string; body: string };

/** Stands between the service and the provider, so that tests can make the provider fail, hang, or answer late. */
export async function startProxy(target: string) {
  const asked: Asked[] = [];
  const proxy = {
    asked,
    /** What becomes of a request: `pass` by default. */
    rule: (_request: Asked): 'pass' | 'fail' | 'hang' | 'lose' | Later | Promise<unknown> => 'pass',
    reset: () => void (proxy.rule = () => 'pass'),
    /** Holds the first answer to a request back, which the provider has given by then, until it is released. */
    holdAnswer: (to: (request: Asked) => boolean) => {
      let arrived = (): void => undefined;
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (arrived = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      let isFirst = true;
      proxy.rule = (request) => {
        if (!isFirst || !to(request)) return 'pass';
        isFirst = false;
        arrived();
        return released;
      };
      return { held, release };
    },
    url: '',
    stop: () => close(server),
  };
  const server = createServer((request, response) => {
    // Who hung up hears nothing.
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    const one = { method, path: url, body: body.toString() };
    asked.push(one);
    const what = proxy.rule(one);
    if (what === 'hang') return;
    if (what === 'fail') return void response.writeHead(500, { 'stripe-should-retry': 'false' }).end('{"error":{}}');
    if (isLater(what)) {
      const { status, retryAfter } = what;
      const later = { 'retry-after': retryAfter, 'stripe-should-retry': 'false' };
      return void response.writeHead(status, later).end('{"error":{}}');
    }
    const passed = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name));
    const result = await fetch(`${target}${url}`, { method, headers: passed as [string, string][], ...(body.length > 0 && { body }) }); // prettier-ignore
    const text = await result.text();
    if (what === 'lose') return void response.destroy();
    if (what !== 'pass') await what;
    response.writeHead(result.status, { 'content-type': 'application/json' }).end(text);
  }

  proxy.url = await listening(server);
  return proxy;
}
