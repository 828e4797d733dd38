import { fail, type Log } from '@tautan/kit';
import { z } from 'zod';
import type { Peers } from '../peers.js';
import type { Reply, Route } from '../routes/route.js';
import { callOptions, type Context, type Middleware } from '../state.js';
import { checked, parseBody, queryReader } from '../validation.js';
import { download } from './download.js';

const nothing = z.object({});

/** Validates a request by its operation's schemas, runs the operation, and answers what it replies. */
export function answer(route: Route, peers: Peers, log: Log): Middleware {
  const { params = nothing, query = nothing, body } = route.request;
  const readQuery = queryReader(query);
  return async (ctx) => {
    const request = {
      params: pathParams(params, (ctx as unknown as { params: unknown }).params),
      query: checked(query, readQuery(ctx.querystring)),
      body: body && checked(body, parseBody(ctx.state.body!)),
    };
    const { requestId, operationId } = ctx.state;
    const call = { peers, requestId, operationId, rpc: () => callOptions(ctx.state), left: () => leaving(ctx) };
    const reply = await route.handle(request as never, call);
    await send(ctx, route, reply, log);
  };
}

/** A signal for the client's leaving. */
function leaving({ res }: Context): AbortSignal {
  const left = new AbortController();
  res.once('close', () => left.abort());
  return left.signal;
}

/** A path whose parameter cannot name anything leads nowhere. */
function pathParams(schema: z.ZodObject, params: unknown): Record<string, unknown> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw fail('NOT_FOUND', 'There is nothing here.');
}

async function send(ctx: Context, { success }: Route, reply: Reply, log: Log): Promise<void> {
  if ('data' in reply) {
    const { data, page } = reply;
    ctx.state.answer = { status: success.status, outcome: { data, error: null, ...(page && { page }) } };
  } else if ('text' in reply) {
    ctx.status = success.status;
    ctx.set('Cache-Control', reply.cacheControl);
    ctx.type = reply.type;
    ctx.body = reply.text;
  } else {
    await download(ctx, reply, log);
  }
}
