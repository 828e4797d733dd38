import createClient from 'openapi-fetch';
import { checkHeader } from './check-header.js';
import { readEnvelope } from './envelope.js';
import { TautanError } from './error.js';
import { unrepeatable } from './generated/unrepeatable.js';
import { Pages } from './pages.js';
import { retryPolicy, type RetryOptions } from './retry.js';
import { send, type CredentialSource, type Transport } from './transport.js';
import type { Args, CallOptions, DataOf, EntryOf, Method, Page, PagedPaths, Paths, PathsWith } from './types.js';

export interface TautanOptions {
  /** Address of the service, for example `https://go.example.com`. */
  baseUrl: string;
  /**
   * An API key (`tau_live_…`) or a user's access token, or a function that returns one. Not needed for public
   * operations.
   */
  credential?: string | CredentialSource;
  /** Workspace to work in, for users who have several. An API key belongs to one. */
  workspaceId?: string | undefined;
  /**
   * Maximum time in ms of one attempt, including reading the response body (except for the method `fetch`); 30,000 by
   * default.
   */
  timeoutMs?: number;
  retry?: RetryOptions;
  /** Headers of every request. */
  headers?: Record<string, string>;
  /** `globalThis.fetch` by default. */
  fetch?: typeof globalThis.fetch;
}

const TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const PREFIX = '/api/v1';

/** Untyped options of a call to any operation. */
interface AnyOptions extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The `request` method of an `openapi-fetch` client, with untyped paths and parameters. */
type AnyRequest = (method: Method, path: string, init: object) => Promise<{ response: Response }>;

/** Client of the Tautan API. Methods return the `data` of the response and throw `TautanError`. */
export class Tautan {
  readonly #options: TautanOptions;
  readonly #transport: Transport;
  readonly #request: AnyRequest;

  /** Throws TypeError if `baseUrl` is not an http(s) address, or has credentials, a query or a fragment. */
  constructor(options: TautanOptions) {
    const { credential, retry, fetch = (...request) => globalThis.fetch(...request) } = options;
    this.#options = options;
    this.#transport = {
      fetch,
      credential: typeof credential === 'function' ? credential : () => credential,
      retry: retryPolicy(retry),
    };
    const baseUrl = apiUrl(options.baseUrl);
    // Following a redirect could lose the body, or send the headers to another host.
    this.#request = createClient<object>({ baseUrl, redirect: 'manual' }).request as AnyRequest;
  }

  /** Calls a GET operation. */
  get<P extends PathsWith<'get'>>(path: P, ...[options]: Args<Paths[P]['get']>): Promise<DataOf<Paths[P]['get']>> {
    return this.#data('get', path, options);
  }

  /** Calls a POST operation. */
  post<P extends PathsWith<'post'>>(path: P, ...[options]: Args<Paths[P]['post']>): Promise<DataOf<Paths[P]['post']>> {
    return this.#data('post', path, options);
  }

  /** Calls a PATCH operation. In the body, null clears an optional field; absent fields are unchanged. */
  patch<P extends PathsWith<'patch'>>(
    path: P,
    ...[options]: Args<Paths[P]['patch']>
  ): Promise<DataOf<Paths[P]['patch']>> {
    return this.#data('patch', path, options);
  }

  /**
   * Calls a DELETE operation. A retry that gets 404 succeeds if an earlier attempt may have deleted the resource.
   */
  delete<P extends PathsWith<'delete'>>(
    path: P,
    ...[options]: Args<Paths[P]['delete']>
  ): Promise<DataOf<Paths[P]['delete']>> {
    return this.#data('delete', path, options);
  }

  /** Returns a list that is read page by page while it is iterated over. */
  list<P extends PagedPaths>(path: P, ...[options]: Args<Paths[P]['get']>): Pages<EntryOf<Paths[P]['get']>> {
    const { query, ...rest } = (options ?? {}) as AnyOptions;
    return new Pages((cursor) =>
      this.#page(path, { ...rest, query: cursor === undefined ? query : { ...query, cursor } }),
    );
  }

  /** Returns one page of a list: the first one, or that of `query.cursor`. */
  page<P extends PagedPaths>(path: P, ...[options]: Args<Paths[P]['get']>): Promise<Page<EntryOf<Paths[P]['get']>>> {
    return this.#page(path, options);
  }

  /** Calls a GET operation and returns its successful response unread: for images, exports and other large content. */
  fetch<P extends PathsWith<'get'>>(path: P, ...[options]: Args<Paths[P]['get']>): Promise<Response> {
    return this.#send('get', path, options, true);
  }

  async #page<T>(path: string, options?: AnyOptions): Promise<Page<T>> {
    const { data, meta } = await this.#envelope<T[]>('get', path, options);
    return { data, nextCursor: meta?.page?.hasMore ? meta.page.nextCursor : undefined };
  }

  async #data<T>(method: Method, path: string, options?: AnyOptions): Promise<T> {
    return (await this.#envelope<T>(method, path, options)).data;
  }

  async #envelope<T>(method: Method, path: string, options?: AnyOptions) {
    return readEnvelope<T>(await this.#send(method, path, options, false));
  }

  async #send(method: Method, path: string, options: AnyOptions = {}, unread: boolean): Promise<Response> {
    const { path: pathParameters, query, body, signal, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS } = options;
    signal?.throwIfAborted();
    checkPath(path, pathParameters);
    const attemptOptions = { signal, unread, timeoutMs: checkedTimeout(timeoutMs) };
    const { response } = await this.#request(method, path, {
      params: { path: pathParameters, query },
      body,
      headers: this.#headers(method, path, options),
      parseAs: 'stream',
      fetch: (request: Request) => send(this.#transport, request, attemptOptions),
    });
    return response;
  }

  #headers(method: Method, path: string, options: AnyOptions): Record<string, string> {
    const { workspaceId = this.#options.workspaceId, idempotencyKey = randomKey() } = options;
    const isChange = method === 'post' || method === 'patch';
    const takesKey = isChange && !unrepeatable.has(`${method.toUpperCase()} ${PREFIX}${path}`);
    if (typeof workspaceId === 'string') checkHeader('workspaceId', workspaceId);
    if (takesKey && idempotencyKey !== false) checkHeader('idempotencyKey', idempotencyKey);
    for (const value of Object.values({ ...this.#options.headers, ...options.headers })) checkHeader('headers', value);
    return {
      accept: 'application/json, */*;q=0.5',
      ...this.#options.headers,
      ...(typeof workspaceId === 'string' && { 'x-workspace-id': workspaceId }),
      ...(takesKey && idempotencyKey !== false && { 'idempotency-key': idempotencyKey }),
      ...options.headers,
    };
  }
}

function apiUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError(
      'baseUrl must be an http(s) address without credentials, a query or a fragment, for example https://go.example.com.',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}${PREFIX}`;
}

/**
 * Throws unless each path parameter is a string other than "", "." and "..", which would address another operation.
 */
function checkPath(path: string, parameters: Record<string, unknown> = {}): void {
  for (const [, name] of path.matchAll(/\{(\w+)\}/g) as Iterable<[string, string]>) {
    const value = parameters[name];
    if (typeof value !== 'string' || ['', '.', '..'].includes(value))
      throw new TautanError('INVALID_ARGUMENT', `${name} must be a string other than "", "." and "..".`, {
        field: name,
      });
  }
}

/** Returns a timeout that timers support. Throws unless it is a non-negative integer or infinite. */
function checkedTimeout(timeoutMs: number): number {
  const ms = Math.min(timeoutMs, MAX_TIMEOUT_MS);
  if (Number.isInteger(ms) && ms >= 0) return ms;
  throw new TautanError('INVALID_ARGUMENT', 'timeoutMs must be a non-negative integer or Infinity.', {
    field: 'timeoutMs',
  });
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that are not served over HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
