import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Context } from '../state.js';

/** A static file, uncompressed and compressed. */
export interface Asset {
  type: string;
  /** The content by content coding (RFC 9110 section 8.4.1). */
  encodings: { identity: Buffer; gzip: Buffer; br?: Buffer };
  etag: string;
}

/** Reads a file and its compressed copies (`.br`, `.gz`). If the `.gz` copy is missing, compresses the file. */
export function readAsset(path: string, type: string): Asset {
  const identity = readFileSync(path);
  const copy = (extension: string): Buffer | undefined =>
    existsSync(path + extension) ? readFileSync(path + extension) : undefined;
  const br = copy('.br');
  return {
    type,
    encodings: { identity, gzip: copy('.gz') ?? gzipSync(identity), ...(br && { br }) },
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
  };
}

/** Responds with a file in the best encoding that the client accepts, or with 304 if the client's copy is current. */
export function sendAsset(ctx: Context, { type, encodings, etag }: Asset, headers: Record<string, string>): void {
  ctx.set({ 'Referrer-Policy': 'no-referrer', ...headers, Vary: 'Accept-Encoding', ETag: etag });
  ctx.status = 200;
  ctx.type = type;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const accepted = ctx.acceptsEncodings(...(['br', 'gzip'] as const).filter((each) => encodings[each]), 'identity');
  const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = encodings[encoding] ?? encodings.identity;
}
