import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Context, Middleware } from '../state.js';

/** Folder of the built site. The container image contains it; `npm run build` creates it. */
const siteFolder = join(import.meta.dirname, '..', '..', 'site');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Asset {
  type: string;
  plain: Buffer;
  compressed: Buffer;
  etag: string;
}

/**
 * Serves the documentation site under /docs to everyone. A file is read when it is first requested; clients revalidate
 * it by ETag. If the site is not built, /docs returns 404.
 */
export function docsSite(folder = siteFolder): Middleware {
  const files = filesIn(folder);
  const assets = new Map<string, Asset>();
  return async (ctx, next) => {
    const file = ctx.path.startsWith('/docs') ? files.get(ctx.path.replace(/(.)\/$/, '$1')) : undefined;
    if (file === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    let asset = assets.get(file);
    if (!asset) assets.set(file, (asset = load(file)));
    serve(ctx, asset);
  };
}

/** Returns the files of the site by URL path. Paths of pages have no extension. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of namesIn(folder)) {
    if (types[extname(name)] === undefined) continue;
    const path = `/docs/${name.split(sep).join('/')}`;
    files.set(path.replace(/\/index\.html$|\.html$/, ''), join(folder, name));
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function load(file: string): Asset {
  const plain = readFileSync(file);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type: types[extname(file)]!, plain, compressed: gzipSync(plain), etag };
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
  const isGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isGzip) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isGzip ? compressed : plain;
}
