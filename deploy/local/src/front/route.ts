/**
 * The upstream of a request. `api` and `pages` are both the gateway; the front's own errors use the API's envelope for
 * `api`, and plain text otherwise.
 */
export type Destination = 'api' | 'pages' | 'redirect';

/**
 * Returns the destination of a request target, as an ingress would choose it: `/api`, `/app`, `/q` and `/docs` go to
 * the gateway, everything else to the redirect process. Paths are compared byte for byte: nothing is decoded or
 * normalized.
 */
export function destinationOf(target: string): Destination {
  const path = pathOf(target);
  if (isUnder(path, '/api')) return 'api';
  return ['/app', '/q', '/docs'].some((prefix) => isUnder(path, prefix)) ? 'pages' : 'redirect';
}

/** The path of a target in origin form (`/x?y`) or absolute form (`http://host/x?y`), RFC 9112 section 3.2. */
function pathOf(target: string): string {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target) ? target.replace(/^[^:]+:\/\/[^/?#]*/, '') : target;
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

const isUnder = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
