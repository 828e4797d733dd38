import type { InlineFile } from '../routes/route.js';
import type { Context } from '../state.js';

/**
 * Responds with a file to display inline (RFC 6266), or with 304 (RFC 9110, 15.4.5). A Content-Security-Policy prevents
 * the file from loading or running anything.
 */
export function sendFile(ctx: Context, { content, type, filename, etag, notModified, cacheControl }: InlineFile): void {
  // Latin-1 is allowed in this header, but not supported everywhere.
  ctx.attachment(filename, { type: 'inline', fallback: filename.replaceAll(/[^\x20-\x7e]/g, '_') });
  ctx.status = notModified ? 304 : 200;
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', cacheControl);
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
  ctx.body = notModified ? null : content;
  if (!notModified) ctx.set('Content-Type', type);
}
