import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '@tautan/kit';
import type { Reply } from '../routes/route.js';
import type { Context } from '../state.js';

type Download = Extract<Reply, { stream: unknown }>;

/**
 * Writes a download as fast as its reader takes it, one chunk in memory. What fails before the first byte is thrown; what
 * fails after it cuts the connection, so that nobody takes a part for the whole.
 */
export async function download(ctx: Context, { stream, type, filename }: Download, log: Log): Promise<void> {
  const chunks = stream[Symbol.asyncIterator]();
  const first: IteratorResult<string> = ctx.method === 'HEAD' ? { done: true, value: undefined } : await chunks.next();
  ctx.status = 200;
  ctx.set('Content-Type', type);
  ctx.set('Content-Disposition', `attachment; filename="${filename}"`);
  ctx.set('Cache-Control', 'no-store');
  if (ctx.method === 'HEAD') return;
  ctx.respond = false;
  try {
    await pipeline(Readable.from(following(first, chunks), { highWaterMark: 1 }), ctx.res);
  } catch (error) {
    ctx.state.code = 'CUT';
    log.warn({ err: error, requestId: ctx.state.requestId }, 'a download broke off');
  }
}

async function* following(first: IteratorResult<string>, chunks: AsyncIterator<string>): AsyncIterable<string> {
  try {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}
