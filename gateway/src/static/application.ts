import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Middleware } from '../state.js';
import { readAsset, sendAsset, type Asset } from './asset.js';

const PREFIX = '/app';
/** The names of the files in this folder contain the hash of their content. */
const HASHED = 'assets/';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The folder of the built web application. */
const builtFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@tautan/web/package.json')), 'dist', 'app');

/**
 * Serves the web application under /app without authentication. Each file is read from disk on its first request. For
 * paths of pages it serves index.html, because the application routes them itself. Serves nothing if the application is
 * not built.
 */
export function application(folder = builtFolder()): Middleware {
  const files = new Set(existsSync(folder) ? filesIn(folder) : []);
  const assets = new Map<string, Asset>();
  return async (ctx, next) => {
    const name = fileOf(ctx.path, ctx.get('accept'), files);
    if (name === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    let asset = assets.get(name);
    if (!asset) assets.set(name, (asset = readAsset(join(folder, name), types[extname(name)]!)));
    sendAsset(ctx, asset, {
      'Cache-Control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Content-Security-Policy': POLICY,
    });
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => Object.hasOwn(types, extname(name)));

/** Returns the file for a path: index.html for pages, undefined for missing files. */
function fileOf(path: string, accept: string, files: ReadonlySet<string>): string | undefined {
  if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) return undefined;
  const name = path.slice(PREFIX.length + 1);
  if (files.has(name)) return name;
  const isPage = name === '' || (!name.startsWith(HASHED) && accept.includes('text/html'));
  return isPage && files.has('index.html') ? 'index.html' : undefined;
}
