import {
  Server,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import './quiet.js';
import { withInterrupt } from '../async/time.js';
import { fail, type Fault, isFault } from '../errors.js';
import { Histogram, latencyBuckets, sharedMetric } from '../telemetry/metrics.js';
import type { Principal } from '../principal.js';
import { inSpan } from '../telemetry/telemetry.js';
import { callSpan, describeStatus } from './call-span.js';
import { serveHealth } from './health.js';
import { listenRpc, type ListenerOptions } from './listener.js';
import { principalOf, requestIdOf, traceparentOf } from './metadata.js';
import { toStatus } from './status.js';
import type { Methods, RequestOut, ResponseIn } from './types.js';

/** The context of a call. */
export interface Call {
  requestId: string;
  /** Deadline, Unix milliseconds. */
  deadline: number;
  /** Aborted when the caller cancels, and shortly before the deadline, so that the response still arrives in time. */
  signal: AbortSignal;
  /** The principal. Throws if the call has none. */
  principal(): Principal;
  /** The principal, or null for calls by the system. */
  principalOrNull(): Principal | null;
}

/** A table of handlers: unary ones return a promise, server-streaming ones an async iterable. */
export type Handlers<D> = {
  [M in Methods<D>]: (
    call: Call,
    request: RequestOut<D, M>,
  ) => Promise<ResponseIn<D, M>> | AsyncIterable<ResponseIn<D, M>>;
};

/** The definition of a service with its table of handlers. */
export interface RpcTable {
  definition: ServiceDefinition;
  handlers: Record<string, Handler>;
}
/** Declared as a method, so that handlers of any request type are assignable. */
type Handler = { handle(call: Call, request: unknown): unknown }['handle'];
export const rpcTable = <D>(definition: D, handlers: Handlers<D>): RpcTable => ({
  definition: definition as ServiceDefinition,
  handlers: handlers,
});

export interface RpcServerOptions extends ListenerOptions {
  tables: RpcTable[];
  /**
   * Maps an error, such as that of an unavailable database, to a fault. If it returns undefined, the fault is
   * INTERNAL_ERROR. The error is logged in both cases.
   */
  explain?: (error: unknown) => Fault | undefined;
  /**
   * Returns whether calls can be served. While it returns false, calls fail with SERVICE_UNAVAILABLE, and the health
   * service reports NOT_SERVING.
   */
  ready?: () => boolean;
}

const DEFAULT_DEADLINE_MS = 3_000;
/** Maximum duration of a call, milliseconds. Long enough to export all links of a workspace. */
const MAX_DEADLINE_MS = 10 * 60_000;

/** Serves RPC tables and grpc.health.v1. `stop` refuses new calls and waits up to `withinMs` for active ones. */
export async function serveRpc(
  options: RpcServerOptions,
): Promise<{ port: number; stop(withinMs?: number): Promise<void> }> {
  // No maximum connection age and no keepalive: grpc-js destroys a connection and its calls when a ping is due after
  // GOAWAY. Clients replace their connections themselves.
  const server = new Server({
    'grpc.max_receive_message_length': 16 * 1024 * 1024,
  });
  const seconds = sharedMetric(options.registry, Histogram, {
    name: 'tautan_rpc_server_duration_seconds',
    help: 'Duration of an RPC at the server',
    labelNames: ['method', 'code'],
    buckets: latencyBuckets,
  });
  for (const { definition, handlers } of options.tables) {
    const methods = Object.entries(definition).map(([name, { path, responseStream }]) => {
      const run = observed(path, handlers[name]!, options, seconds);
      return [name, responseStream ? streaming(run) : unary(run)];
    });
    server.addService(definition, Object.fromEntries(methods) as UntypedServiceImplementation);
  }
  const health = serveHealth(server, options.ready ?? (() => true));
  const listener = await listenRpc(server, options);
  return {
    port: listener.port,
    stop: async (withinMs = 5_000) => {
      health.stop();
      listener.close();
      const stopped = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      await withInterrupt(stopped, withinMs, () => server.forceShutdown());
      listener.destroy();
    },
  };
}

type Run = (
  wire: {
    metadata: Metadata;
    getDeadline(): Date | number;
    on(event: 'cancelled', listener: () => void): unknown;
    request: unknown;
  },
  deliver: (result: unknown) => Promise<void>,
) => Promise<void>;

/** Wraps a handler with call context, span, log line and metrics, and maps errors to faults. */
function observed(
  path: string,
  handler: RpcTable['handlers'][string],
  options: RpcServerOptions,
  seconds: Histogram,
): Run {
  const op = path.slice(path.lastIndexOf('.') + 1).replace('/', '.');
  const { name, options: span } = callSpan('server', path);
  const run: Run = async (wire, deliver) => {
    const began = performance.now();
    const requestId = requestIdOf(wire.metadata);
    const abort = new AbortController();
    let isRunning = true;
    // grpc-js emits this event after every call.
    wire.on('cancelled', () => isRunning && abort.abort());
    const deadline = deadlineOf(wire.getDeadline());
    const abortTimer = setTimeout(() => abort.abort(), abortsIn(deadline - Date.now())).unref();
    const call: Call = {
      requestId,
      signal: abort.signal,
      deadline,
      principal: () => {
        const principal = principalOf(wire.metadata);
        if (principal) return principal;
        throw fail('UNAUTHENTICATED', 'This call requires a principal.');
      },
      principalOrNull: () => principalOf(wire.metadata),
    };
    let code = 'OK';
    try {
      if (options.ready?.() === false)
        throw fail('SERVICE_UNAVAILABLE', 'The service is starting. Try again in a moment.');
      await deliver(await handler(call, wire.request));
      describeStatus();
    } catch (error) {
      const fault = asFault(error, op, call, options);
      code = fault.code;
      const status = toStatus(fault);
      describeStatus(status);
      throw status as unknown as Error;
    } finally {
      isRunning = false;
      clearTimeout(abortTimer);
      const ms = performance.now() - began;
      seconds.observe({ method: op, code }, ms / 1000);
      options.log.info({ op, requestId, code, ms: Math.round(ms * 100) / 100 }, 'rpc');
    }
  };
  return (wire, deliver) => inSpan(name, { ...span, from: [traceparentOf(wire.metadata)] }, () => run(wire, deliver));
}

/** Returns the deadline, Unix milliseconds; default: DEFAULT_DEADLINE_MS from now. */
function deadlineOf(given: Date | number): number {
  const now = Date.now();
  return Number.isFinite(Number(given)) ? Math.min(Number(given), now + MAX_DEADLINE_MS) : now + DEFAULT_DEADLINE_MS;
}

/** Time reserved for sending the response, milliseconds. */
const RESPONSE_MS = 200;
const abortsIn = (remainingMs: number): number => Math.max(0, remainingMs - Math.min(RESPONSE_MS, remainingMs / 10));

function asFault(error: unknown, op: string, { requestId, signal }: Call, { explain, log }: RpcServerOptions): Fault {
  if (isFault(error)) return error;
  if (signal.aborted) return fail('TIMEOUT', 'The request timed out. The change may still have been applied.');
  const explained = explain?.(error);
  log[explained ? 'warn' : 'error']({ err: error, op, requestId }, 'rpc failed');
  return explained ?? fail('INTERNAL_ERROR', 'An internal error occurred.');
}

function unary(run: Run): handleUnaryCall<unknown, unknown> {
  return (call, callback) => {
    run(call, async (result) => callback(null, result)).catch((status: unknown) => callback(status as Error, null));
  };
}

function streaming(run: Run): handleServerStreamingCall<unknown, unknown> {
  return (call) => {
    run(call, (chunks) => writeAll(chunks as AsyncIterable<unknown>, call)).then(
      () => call.end(),
      // Do not use destroy(): a destroyed stream never sends its status, and the caller would wait for its deadline.
      (status: unknown) => call.emit('error', status),
    );
  };
}

/** Writes chunks with backpressure. */
async function writeAll(chunks: AsyncIterable<unknown>, call: ServerWritableStream<unknown, unknown>): Promise<void> {
  for await (const chunk of chunks) {
    if (call.cancelled) return;
    if (!call.write(chunk)) {
      await new Promise<void>((resolve) => {
        const resume = (): void => {
          call.off('drain', resume).off('cancelled', resume).off('close', resume);
          resolve();
        };
        call.on('drain', resume).on('cancelled', resume).on('close', resume);
      });
    }
  }
}
