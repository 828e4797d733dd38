import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { faultCode, type Log } from '@tautan/kit';
import type { Reply } from '../routes/route.js';
import type { Context } from '../state.js';
import { acceptsGzip } from './compress.js';

/** Flushes after every chunk. */
const flushed = { flush: constants.Z_SYNC_FLUSH };

type Download = Extract<Reply, { stream: unknown }>;

/**
 * Streams a download with backpressure, one chunk in memory, compressed on request. Throws errors that occur before the
 * first byte; later errors close the connection, so that a partial download is not mistaken for a complete one.
 */
export async function download(ctx: Context, { stream, type, filename }: Download, log: Log): Promise<void> {
  const chunks = stream[Symbol.asyncIterator]();
  const first: IteratorResult<string> = ctx.method === 'HEAD' ? { done: true, value: undefined } : await chunks.next();
  ctx.status = 200;
  ctx.set('Content-Type', type);
  ctx.set('Content-Disposition', `attachment; filename="${filename}"`);
  ctx.set('Cache-Control', 'no-store');
  const isCompressed = acceptsGzip(ctx);
  if (isCompressed) ctx.set('Content-Encoding', 'gzip');
  if (ctx.method === 'HEAD') return;
  ctx.respond = false;
  ctx.res.flushHeaders();
  try {
    const source = Readable.from(chunksFrom(first, chunks), { highWaterMark: 1 });
    await (isCompressed ? pipeline(source, createGzip(flushed), ctx.res) : pipeline(source, ctx.res));
  } catch (error) {
    if (!isClientGone(error)) ctx.state.downloadError = faultCode(error) ?? 'INTERNAL_ERROR';
    log.warn({ err: error, requestId: ctx.state.requestId }, 'a download was interrupted');
  }
}

/** Returns whether a pipeline failed because its destination was closed. */
const isClientGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';

async function* chunksFrom(first: IteratorResult<string>, chunks: AsyncIterator<string>): AsyncIterable<string> {
  try {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}
