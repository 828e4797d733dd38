import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * The effect of a TCP proxy on its connections. `pass` has none. `latency` delays every byte by 100 ms in each
 * direction. `half-open` holds back all bytes and keeps the connections open. `reset` resets all connections,
 * including new ones.
 */
export type ProxyMode = 'pass' | 'latency' | 'half-open' | 'reset';

const LATENCY_MS = 100;

export interface TcpProxy {
  port: number;
  set(mode: ProxyMode): void;
  stop(): Promise<void>;
}

/**
 * Starts a proxy on a free port of 127.0.0.1. `target` returns the port to connect to, or undefined if still unknown.
 */
export async function startTcpProxy(target: () => number | undefined): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: ProxyMode = 'pass';
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    // A `close` event always follows an `error` event.
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  /** Forwards data in order, with the delay of the mode that was set when the data arrived. */
  const relay = (from: Socket, to: Socket): void => {
    let last: Promise<unknown> = Promise.resolve();
    const enqueue = (action: () => void): void => {
      const due = mode === 'latency' ? new Promise((resolve) => setTimeout(resolve, LATENCY_MS)) : undefined;
      last = Promise.all([last, due]).then(action);
    };
    from.on('data', (bytes) => enqueue(() => to.write(bytes)));
    from.on('end', () => enqueue(() => to.end()));
    from.on('close', () => enqueue(() => to.destroy()));
  };
  const server = createServer((client) => {
    track(client);
    const port = target();
    if (mode === 'reset' || port === undefined) return void client.resetAndDestroy();
    const upstream = track(connect(port, '127.0.0.1'));
    relay(client, upstream);
    relay(upstream, client);
    if (mode === 'half-open') for (const socket of [client, upstream]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      mode = next;
      for (const socket of sockets) {
        if (mode === 'reset') socket.resetAndDestroy();
        else if (mode === 'half-open') socket.pause();
        else socket.resume();
      }
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
