import type { Server, ServerUnaryCall, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js';

// Implements grpc.health.v1 (https://grpc.io/docs/guides/health-checking/). Its two messages have one field each and
// are encoded by hand.

const SERVING = 1;
const NOT_SERVING = 2;
const encode = (status: number): Buffer => Buffer.from([0x08, status]);
const ignore = (_request: object): Buffer => Buffer.alloc(0);

const method = (name: string, responseStream: boolean) => ({
  path: `/grpc.health.v1.Health/${name}`,
  requestStream: false,
  responseStream,
  requestSerialize: ignore,
  requestDeserialize: (bytes: Buffer) => bytes,
  responseSerialize: encode,
  responseDeserialize: (bytes: Buffer) => bytes[1] ?? 0,
});

/** The health service as clients use it: only `Check`, which returns whether the server is ready. */
export const healthService = { Check: method('Check', false) };
export const isServing = (status: unknown): boolean => status === SERVING;

/** Serves health checks. `stop` reports NOT_SERVING, so that load balancers stop sending calls before the drain. */
export function serveHealth(server: Server, ready: () => boolean): { stop(): void } {
  let stopped = false;
  const watchers = new Map<ServerWritableStream<Buffer, number>, NodeJS.Timeout>();
  const current = (): number => (!stopped && ready() ? SERVING : NOT_SERVING);
  server.addService(
    { Check: method('Check', false), Watch: method('Watch', true) },
    {
      Check: (_call: ServerUnaryCall<Buffer, number>, callback: sendUnaryData<number>) => callback(null, current()),
      Watch: (call: ServerWritableStream<Buffer, number>) => watch(call, current, watchers),
    },
  );
  return {
    stop: () => {
      stopped = true;
      for (const [call, timer] of watchers) {
        clearInterval(timer);
        call.write(NOT_SERVING);
        call.end();
      }
      watchers.clear();
    },
  };
}

type Watchers = Map<ServerWritableStream<Buffer, number>, NodeJS.Timeout>;

function watch(call: ServerWritableStream<Buffer, number>, current: () => number, watchers: Watchers): void {
  let lastSent = current();
  call.write(lastSent);
  const timer = setInterval(() => {
    if (current() !== lastSent) call.write((lastSent = current()));
  }, 1_000);
  timer.unref();
  watchers.set(call, timer);
  call.on('cancelled', () => {
    clearInterval(timer);
    watchers.delete(call);
  });
}
