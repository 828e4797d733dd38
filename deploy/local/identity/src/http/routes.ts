import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal, sendJson } from '@tautan/local-web';

/** An API operation. `:name` in a path matches one segment, which is passed as an argument. */
export interface ApiRoute {
  method: string;
  path: string;
  answer(request: IncomingMessage, ...segments: string[]): Promise<{ status?: number; body: unknown }>;
  errorBody(refusal: Refusal): object;
}

/** Returns a handler that responds to matching requests. The handler returns false if no route matches the path. */
export function apiHandler(routes: readonly ApiRoute[], onFailure: (error: unknown) => void) {
  const table = routes.map((route) => ({ ...route, pattern: patternOf(route.path) }));
  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> => {
    const candidates = table.filter(({ pattern }) => pattern.test(path));
    if (candidates.length === 0) return false;
    const found = candidates.find(({ method }) => method === request.method);
    if (!found) {
      const allowed = candidates.map(({ method }) => method).join(', ');
      const message = `Method not allowed. Allowed methods: ${allowed}.`;
      const body = candidates[0]!.errorBody(new Refusal(405, 'method_not_allowed', message));
      sendJson(response, 405, body, { Allow: allowed });
      return true;
    }
    try {
      const segments = found.pattern.exec(path)!.slice(1);
      const { status = 200, body } = await found.answer(request, ...segments);
      sendJson(response, status, body);
    } catch (error) {
      refuse(response, found, error, onFailure);
    }
    return true;
  };
}

function refuse(response: ServerResponse, route: ApiRoute, error: unknown, onFailure: (error: unknown) => void): void {
  const isRefusal = error instanceof Refusal;
  if (!isRefusal) onFailure(error);
  const refusal = isRefusal ? error : new Refusal(500, 'server_error', 'An internal error occurred.');
  sendJson(response, refusal.status, route.errorBody(refusal), {
    ...(refusal.retryAfter !== undefined && { 'Retry-After': refusal.retryAfter }),
    ...(refusal.status === 401 && { 'WWW-Authenticate': 'Bearer error="invalid_token"' }),
    // Close the connection, so that the unread body is not parsed as the next request.
    ...(refusal.status === 413 && { Connection: 'close' }),
  });
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '([\\w-]+)')}$`);
