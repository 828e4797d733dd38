import {
  Client,
  credentials,
  status as Status,
  type ChannelCredentials,
  type ChannelOptions,
  type ClientReadableStream,
  type ServiceDefinition,
  type StatusObject,
} from '@grpc/grpc-js';
import './quiet.js';
import { fail } from '../errors.js';
import { meterBreaker } from '../telemetry/breaker-meter.js';
import type { Registry } from '../telemetry/metrics.js';
import { beginSpan, failSpan, inSpan, withSpan } from '../telemetry/telemetry.js';
import { callSpan, describeStatus } from './call-span.js';
import { Breaker } from './breaker.js';
import type { Certificates } from './certificates.js';
import { Connections, nameOf } from './connections.js';
import { toMetadata, type CallerContext } from './metadata.js';
import { carriesFault, fromStatus } from './status.js';
import { isRepeatable } from './repeatable.js';
import type { Methods, RequestIn, ResponseOut } from './types.js';

export interface CallOptions extends CallerContext {
  /** Timeout of the call, milliseconds (default 3,000). */
  timeoutMs?: number;
  /** Cancels the call when aborted. */
  signal?: AbortSignal;
}

/**
 * Calls unary methods with `call`, and server-streaming methods with `stream`. All errors are Faults. Unary methods
 * whose `idempotency_level` is set are retried once if the peer is unavailable.
 */
export interface RpcClient<D> {
  call<M extends Methods<D>>(method: M, request: RequestIn<D, M>, options: CallOptions): Promise<ResponseOut<D, M>>;
  stream<M extends Methods<D>>(
    method: M,
    request: RequestIn<D, M>,
    options: CallOptions,
  ): AsyncIterable<ResponseOut<D, M>>;
  close(): void;
}

export interface RpcConnectionsOptions {
  /** host:port, or a target such as dns:///links-headless:50051. Calls are balanced over all addresses of the name. */
  address: string;
  /** Mutual TLS; without it, connections are plaintext. */
  certificates?: Certificates | undefined;
  /** Maximum age of connections, milliseconds (default 300,000), so that calls reach new replicas. */
  maxConnectionAgeMs?: number;
}

/** Connection options, or shared connections, which the client's `close` leaves open. */
export type RpcClientOptions = (RpcConnectionsOptions | { connections: Connections }) & {
  /** Registry for the metric of the circuit breaker, and the peer's name as a label of the metric. */
  meter?: { registry: Registry; peer: string };
};

const DEFAULT_TIMEOUT_MS = 3_000;
const MAX_CONNECTION_AGE_MS = 5 * 60_000;
const serviceConfig = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

/** Creates a client for a service, with deadlines, keepalive, round-robin balancing and a circuit breaker. */
export function rpcClient<D>(definition: D, options: RpcClientOptions): RpcClient<D> {
  const methods = definition as ServiceDefinition;
  const isShared = 'connections' in options;
  const connections = isShared ? options.connections : rpcConnections(options);
  const breaker = new Breaker();
  if (options.meter) meterBreaker(options.meter.registry, breaker, options.meter.peer, serviceOf(methods));
  const spans = new Map(Object.entries(methods).map(([method, { path }]) => [method, callSpan('client', path)]));

  const attempt = (method: string, request: unknown, context: CallOptions, deadline: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { path, requestSerialize, responseDeserialize } = methods[method]!;
      const metadata = toMetadata(context);
      const connection = connections.acquire();
      const unaryCall = connection.client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        { deadline },
        (error, response) => {
          stopListening();
          connections.release(connection);
          return error ? reject(error) : resolve(response);
        },
      );
      const stopListening = onAbort(context.signal, () => unaryCall.cancel());
    });

  const traced = (method: string, work: () => Promise<unknown>): Promise<unknown> => {
    const { name, options: spanOptions } = spans.get(method)!;
    return inSpan(name, spanOptions, async () => {
      try {
        const response = await work();
        describeStatus();
        return response;
      } catch (error) {
        describeStatus(error);
        throw error;
      }
    });
  };

  const call = async (method: string, request: unknown, context: CallOptions): Promise<unknown> => {
    if (!breaker.allows())
      throw fail('SERVICE_UNAVAILABLE', 'The service is temporarily unavailable. Try again in a moment.');
    // Shared by both attempts.
    const deadline = Date.now() + (context.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    try {
      const response = await traced(method, () =>
        attempt(method, request, context, deadline).catch((error: unknown) => {
          if (isRepeatable(methods[method]!) && isUnavailable(error))
            return attempt(method, request, context, deadline);
          throw error;
        }),
      );
      breaker.succeeded();
      return response;
    } catch (error) {
      if (isUnavailable(error)) breaker.failed();
      // The peer responded. An exceeded deadline counts as neither success nor failure.
      else if (carriesFault(error)) breaker.succeeded();
      throw fromStatus(error);
    }
  };

  async function* stream(method: string, request: unknown, context: CallOptions): AsyncIterable<unknown> {
    const { path, requestSerialize, responseDeserialize } = methods[method]!;
    const deadline = Date.now() + (context.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const { name, options: spanOptions } = spans.get(method)!;
    const span = beginSpan(name, spanOptions);
    const metadata = withSpan(span, () => toMetadata(context));
    const connection = connections.acquire();
    const source: ClientReadableStream<unknown> = connection.client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
      { deadline },
    );
    // A canceled stream emits an error that nobody awaits.
    source.on('error', () => {});
    const stopListening = onAbort(context.signal, () => source.cancel());
    try {
      yield* source as AsyncIterable<unknown>;
      withSpan(span, () => describeStatus());
    } catch (error) {
      withSpan(span, () => describeStatus(error));
      if (span) failSpan(span, spanOptions.errorOf!(error)!);
      throw fromStatus(error);
    } finally {
      span?.end();
      stopListening();
      source.cancel();
      connections.release(connection);
    }
  }

  return { call, stream, close: () => (isShared ? undefined : connections.close()) } as RpcClient<D>;
}

/** Calls `listener` once the signal is aborted. Returns a function that stops listening. */
function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  signal?.addEventListener('abort', listener);
  return () => signal?.removeEventListener('abort', listener);
}

/**
 * Creates connections to an address, which the clients of all services at that address can share. The connections are
 * established at the first call.
 */
export function rpcConnections({ address, certificates, maxConnectionAgeMs }: RpcConnectionsOptions): Connections {
  const create = (): Client => new Client(address, channelCredentials(certificates), channelOptions);
  const maxAgeMs = maxConnectionAgeMs ?? MAX_CONNECTION_AGE_MS;
  return new Connections({ create, maxAgeMs, name: nameOf(address), certificates });
}

const channelOptions: ChannelOptions = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.service_config': serviceConfig,
  // Otherwise TXT records of the name could replace the service config.
  'grpc.service_config_disable_resolution': 1,
  'grpc.max_receive_message_length': 16 * 1024 * 1024,
  // Otherwise new clients would share the connections of earlier ones.
  'grpc.use_local_subchannel_pool': 1,
};

/** Returns the short name of a service, from its first method's path, such as `/tautan.links.v1.Links/GetLink`. */
const serviceOf = (methods: ServiceDefinition): string =>
  /([^./]+)\/[^/]+$/.exec(Object.values(methods)[0]?.path ?? '')?.[1] ?? '';

/** Returns whether the peer was unreachable, as opposed to having reported that a dependency is unavailable. */
function isUnavailable(error: unknown): boolean {
  return (error as Partial<StatusObject>).code === Status.UNAVAILABLE && !carriesFault(error);
}

/** Returns the credentials of a channel. With TLS, the server's certificate is verified against the host name. */
function channelCredentials(certificates: Certificates | undefined): ChannelCredentials {
  if (!certificates) return credentials.createInsecure();
  const { ca, cert, key } = certificates.current;
  return credentials.createSsl(ca, key, cert);
}
