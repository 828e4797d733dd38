import { randomUUID } from 'node:crypto';
import { unreachable } from '../connection.js';
import { isCliError } from '../errors.js';
import { userAgent } from '../version.js';
import { readEnvelope, type Page } from './envelope.js';
import { withRetries } from './retry.js';

const TIMEOUT_MS = 30_000;

/** One request of the API. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v1, such as /links. */
  path: string;
  query?: Record<string, string | number | string[] | undefined>;
  body?: unknown;
  /** Until the answer is read, milliseconds. */
  timeoutMs?: number;
  /** Asks without saying which workspace is meant. */
  anyWorkspace?: boolean;
}

export interface ApiAnswer<T> {
  data: T;
  page: Page | undefined;
}

/** The public API, spoken to with one credential. */
export interface Api {
  call<T>(call: ApiCall): Promise<ApiAnswer<T>>;
  /** A successful answer without an envelope, whose body is still to be read. */
  stream(call: ApiCall): Promise<Response>;
}

/** What proves who asks. */
export interface Credential {
  /** Value of the Authorization header. */
  header(): Promise<string>;
  /** Renews what was refused as expired; answers whether another try is worth it. */
  renew(): Promise<boolean>;
}

export interface ApiOptions {
  url: string;
  workspaceId?: string | undefined;
  /** Absent: public operations only. */
  credential?: Credential;
}

/** Opens the API at a service's address. What fails, fails as a `CliError`. */
export function apiClient(options: ApiOptions): Api {
  const ask = async <T>(call: ApiCall, read: (response: Response) => Promise<T>): Promise<T> => {
    try {
      return await read(await authorized(options, call));
    } catch (error) {
      throw isCliError(error) ? error : unreachable(options.url, error);
    }
  };
  return {
    call: <T>(call: ApiCall) =>
      ask(call, async (response) => {
        const { data, meta } = await readEnvelope<T>(response);
        return { data, page: meta?.page };
      }),
    stream: (call) =>
      ask(call, async (response) => {
        if (!response.ok) await readEnvelope(response);
        return response;
      }),
  };
}

/** Sends a request; once more when the credential had expired and could be renewed. */
async function authorized(options: ApiOptions, call: ApiCall): Promise<Response> {
  const response = await send(options, call);
  if (response.status !== 401 || !(await response.clone().text()).includes('TOKEN_EXPIRED')) return response;
  return (await options.credential?.renew()) ? send(options, call) : response;
}

async function send({ url, workspaceId, credential }: ApiOptions, call: ApiCall): Promise<Response> {
  const authorization = await credential?.header();
  const init: RequestInit = {
    method: call.method,
    // A redirect would lose the body or hand the credential to somebody else.
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(authorization && { authorization }),
      ...(workspaceId && !call.anyWorkspace && { 'x-workspace-id': workspaceId }),
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      // The same for every repetition, so that what was done is not done twice.
      ...((call.method === 'POST' || call.method === 'PATCH') && { 'idempotency-key': randomUUID() }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  };
  const { response, attempts } = await withRetries(() =>
    fetch(addressOf(url, call), { ...init, signal: AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS) }),
  );
  // What an attempt without an answer deleted is gone when the next one asks.
  if (call.method === 'DELETE' && attempts > 1 && response.status === 404) return deleted(call.path);
  return response;
}

const deleted = (path: string) =>
  Response.json({ data: { id: decodeURIComponent(path.split('/').at(-1)!), deleted: true }, error: null });

function addressOf(url: string, { path, query = {} }: ApiCall): URL {
  const target = new URL(`${url}/api/v1${path}`);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) target.searchParams.append(name, String(one));
    }
  }
  return target;
}
