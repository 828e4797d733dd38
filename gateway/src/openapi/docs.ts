import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Context, Middleware } from '../state.js';

const own = join(import.meta.dirname, '..', '..', 'docs');
const renderer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Everything that the page is made of; nothing of it comes from another address. */
const files: Record<string, { folder: string; name: string; type: string }> = {
  '/docs': { folder: own, name: 'index.html', type: 'text/html; charset=utf-8' },
  '/docs/docs.css': { folder: own, name: 'docs.css', type: 'text/css; charset=utf-8' },
  '/docs/docs.js': { folder: own, name: 'docs.js', type: 'text/javascript; charset=utf-8' },
  '/docs/icon.svg': { folder: own, name: 'icon.svg', type: 'image/svg+xml' },
  '/docs/swagger-ui.css': { folder: renderer, name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  '/docs/swagger-ui-bundle.js': {
    folder: renderer,
    name: 'swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
  },
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Asset {
  type: string;
  plain: Buffer;
  compressed: Buffer;
  etag: string;
}

/** Serves the documentation page under /docs: public, cached by ETag, read from disk at its first request. */
export function docs(): Middleware {
  const assets = new Map<string, Asset>();
  return async (ctx, next) => {
    const path = ctx.path === '/docs/' ? '/docs' : ctx.path;
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    let asset = assets.get(path);
    if (!asset) assets.set(path, (asset = load(file)));
    serve(ctx, asset);
  };
}

function load({ folder, name, type }: { folder: string; name: string; type: string }): Asset {
  const plain = readFileSync(join(folder, name));
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, plain, compressed: gzipSync(plain), etag };
}

function serve(ctx: Context, { type, plain, compressed, etag }: Asset): void {
  ctx.set({
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'public, max-age=300',
    Vary: 'Accept-Encoding',
    ETag: etag,
  });
  ctx.status = 200;
  ctx.type = type;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const small = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (small) ctx.set('Content-Encoding', 'gzip');
  ctx.body = small ? compressed : plain;
}
