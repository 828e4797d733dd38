import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '@tautan/kit';
import { assertWithinBounds, bodyBounds } from '../body-bounds.js';
import { bodyLimitOf, bodySchemaOf, takesBody, type Route } from '../routes/route.js';
import type { Middleware } from '../state.js';
import { fileOf, FORM_OVERHEAD, formType } from './upload.js';

/** Maximum number of bytes beyond the limit that are read and discarded, so that the client receives the response. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const json = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/**
 * Reads the body of a POST or PATCH as raw bytes, because the size limit counts bytes and the payment provider signs
 * them. Common body parsers discard the bytes, and replace invalid UTF-8 instead of rejecting it.
 */
export function readBody(defaultTimeoutMs: number): Middleware {
  return async (ctx, next) => {
    const route = ctx.state.route!;
    const { upload } = route.request;
    const bodyLimit = bodyLimitOf(route);
    if (takesBody(route) && !upload) ctx.state.body = await read(ctx.req, ctx.res, bodyLimit, assertJson);
    if (upload) {
      const form = await read(ctx.req, ctx.res, bodyLimit + FORM_OVERHEAD, assertForm);
      // Keep only the file. The multipart boundaries differ in a retry, but its body must have the same fingerprint
      // (see idempotency.ts).
      ctx.state.body = await fileOf(form, ctx.get('content-type'), { field: upload.field, limit: bodyLimit });
    }
    // The timeout starts here, so that a slow upload does not use it up.
    ctx.state.deadline = Date.now() + (route.timeoutMs ?? defaultTimeoutMs);
    return next();
  };
}

/** Throws VALIDATION_ERROR if a body has too many values or a list has too many entries, before the body is parsed. */
export function boundBody(route: Route): Middleware {
  const schema = bodySchemaOf(route);
  if (!schema) return (_ctx, next) => next();
  const bounds = bodyBounds(schema, route.request.bodyValues);
  return (ctx, next) => {
    assertWithinBounds(ctx.state.body!, bounds);
    return next();
  };
}

/** Throws UNSUPPORTED_MEDIA_TYPE for an unexpected Content-Type. */
type TypeAssertion = (contentType: string) => void;

const assertJson: TypeAssertion = (type) => {
  if (!json.test(type)) throw fail('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: Content-Type: application/json.');
};
const assertForm: TypeAssertion = (type) => {
  if (!formType.test(type)) throw fail('UNSUPPORTED_MEDIA_TYPE', 'The body must be a form: multipart/form-data.');
};

async function read(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  assertType: TypeAssertion,
): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': chunked, 'content-encoding': coding } = request.headers;
  if (chunked === undefined && !Number(length)) return Buffer.alloc(0);
  assertType(request.headers['content-type'] ?? '');
  if (coding !== undefined && coding !== 'identity') {
    throw fail('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed.');
  }
  const bytes = await collect(request, limit);
  if (bytes) return bytes;
  if (!request.complete) response.setHeader('Connection', 'close');
  throw fail('PAYLOAD_TOO_LARGE', `The body must be at most ${Math.floor(limit / 1024 / 1024)} MiB.`);
}

/** Returns the bytes of the body; undefined if they exceed the limit. */
function collect(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks = [];
      if (size > limit + MAX_DISCARDED_BYTES) resolve(undefined);
    });
    request.on('end', () => resolve(size > limit ? undefined : Buffer.concat(chunks, size)));
    request.on('error', () => reject(fail('VALIDATION_ERROR', 'The request was aborted.')));
  });
}
