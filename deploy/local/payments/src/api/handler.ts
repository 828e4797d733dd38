import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestUrl, bodyOf, Refusal, sendJson } from '@tautan/local-web';
import qs from 'qs';
import type { Transaction } from '../transaction.js';
import { newId } from '../ids.js';
import { API_VERSION } from '../objects/events.js';
import type { Sandbox } from '../sandbox.js';
import { ApiError, invalid } from './errors.js';
import { expanded } from './expand.js';
import { KeyedRequests } from './keyed-requests.js';
import { parametersOf } from './parameters.js';
import { routes, type Route } from './routes.js';

interface Deps {
  sandbox: Sandbox;
  secretKey: string;
  onFailure: (error: unknown) => void;
}

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
const table = routes.map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`),
}));

/** Returns the handler of `/v1/`, which behaves like Stripe's API: https://docs.stripe.com/api */
export function apiHandler({ sandbox, secretKey, onFailure }: Deps) {
  const keyed = new KeyedRequests(sandbox);

  async function answer(request: IncomingMessage): Promise<{ body: object; headers?: Record<string, string> }> {
    authenticate(request.headers.authorization, secretKey);
    const { pathname, search } = requestUrl(request, 'http://sandbox');
    const { route, id } = routeOf(request.method!, pathname);
    const form = request.method === 'POST' ? await bodyOf(request) : search.slice(1);
    const input = parametersOf(route.parameters, formOf(form));
    const run = (tx: Transaction): object => expanded(tx, route.run(tx, input, id), input.expand);
    if (route.method === 'GET') {
      const body = run(sandbox.transaction());
      await sandbox.settled();
      return { body };
    }
    const key = idempotencyKeyOf(request);
    if (key === undefined) return { body: await sandbox.change(run) };
    const { body, isReplay } = await keyed.once(key, fingerprintOf(route.method, pathname, form), run);
    return { body, headers: { 'Idempotency-Key': key, ...(isReplay && { 'Idempotent-Replayed': 'true' }) } };
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const common = { 'Request-Id': newId('req', 14), 'Stripe-Version': API_VERSION };
    try {
      const { body, headers } = await answer(request);
      sendJson(response, 200, body, { ...common, ...headers });
    } catch (error) {
      const { status, body } = refusalOf(error, onFailure);
      sendJson(response, status, body, {
        ...common,
        ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="Stripe"' }),
        // Close the connection, so that the unread body is not parsed as the next request.
        ...(status === 413 && { Connection: 'close' }),
      });
    }
  };
}

/** Accepts `Bearer <key>`, or the key as the user name of basic authentication. Throws 401. */
function authenticate(header: string | undefined, secretKey: string): void {
  const [, scheme, value = ''] = /^(Bearer|Basic) (.+)$/i.exec(header ?? '') ?? [];
  if (scheme === undefined) throw new ApiError(401, 'You did not provide an API key.');
  const given = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0]! : value;
  if (!timingSafeEqual(digest(given), digest(secretKey))) throw new ApiError(401, 'Invalid API Key provided.');
}

function routeOf(method: string, path: string): { route: Route; id: string } {
  const found = table.find((each) => each.method === method && each.pattern.test(path));
  if (!found) throw new ApiError(404, `Unrecognized request URL (${method}: ${path}).`);
  return { route: found, id: found.pattern.exec(path)![1] ?? '' };
}

/** Parses a form with brackets, such as `items[0][price]=…`. */
function formOf(form: string): unknown {
  try {
    return qs.parse(form, {
      depth: 6,
      strictDepth: true,
      arrayLimit: 50,
      parameterLimit: 500,
      throwOnLimitExceeded: true,
    });
  } catch (error) {
    throw invalid(`The parameters cannot be read: ${(error as Error).message}`);
  }
}

function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'] as string | undefined;
  if (key !== undefined && key.length > MAX_IDEMPOTENCY_KEY_LENGTH)
    throw new ApiError(400, `An Idempotency-Key has at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`, {
      type: 'idempotency_error',
    });
  return key;
}

const fingerprintOf = (...parts: string[]): string => digest(parts.join('\n')).toString('base64url');

function refusalOf(error: unknown, onFailure: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Refusal) return new ApiError(error.status, error.message);
  onFailure(error);
  return new ApiError(500, 'An internal error occurred in the sandbox.', { type: 'api_error' });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
