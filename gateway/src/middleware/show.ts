import type { Shown } from '../routes/route.js';
import type { Context } from '../state.js';

/**
 * Answers a file to be shown in its place (RFC 6266), or 304 (RFC 9110 section 15.4.5). Whoever opens it by itself gets a
 * document that may load and run nothing.
 */
export function show(ctx: Context, { content, type, filename, etag, notModified, cacheControl }: Shown): void {
  // Latin-1, which the field allows, is not understood everywhere.
  ctx.attachment(filename, { type: 'inline', fallback: filename.replaceAll(/[^\x20-\x7e]/g, '_') });
  ctx.status = notModified ? 304 : 200;
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', cacheControl);
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
  ctx.body = notModified ? null : content;
  if (!notModified) ctx.set('Content-Type', type);
}
