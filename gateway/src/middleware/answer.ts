import type { Log } from '@tautan/kit';
import type { Plans } from '@tautan/proto';
import { z } from 'zod';
import type { Credentials } from '../credentials.js';
import { cookieIn, setCookie } from '../cookies.js';
import { showPage } from '../pages/page.js';
import type { ServiceClients } from '../service-clients.js';
import { bodySchemaOf, wholePage, type HandlerContext, type Reply, type Route } from '../routes/route.js';
import { pathNotFound } from '../routing.js';
import type { Site } from '../site.js';
import { callOptions, type Context, type Middleware } from '../state.js';
import { checked, parseBody, queryReader } from '../validation.js';
import { download } from './download.js';
import { sendFile } from './send-file.js';

export interface AnswerDeps {
  clients: ServiceClients;
  plans: Plans;
  credentials: Credentials;
  site: Site;
  log: Log;
}

const nothing = z.object({});

/** Validates a request with its operation's schemas, runs the operation and sends its response. */
export function answer(route: Route, deps: AnswerDeps): Middleware {
  const { params = nothing, query = nothing, ignoreUnknownQuery = false } = route.request;
  const body = bodySchemaOf(route);
  const readQuery = queryReader(query, ignoreUnknownQuery);
  return async (ctx) => {
    const request = {
      params: pathParams(params, ctx),
      query: checked(query, readQuery(ctx.querystring)),
      body: body && checked(body, parseBody(ctx.state.body!)),
    };
    const reply = await route.handle(request, handlerContext(ctx, deps));
    await send(ctx, route, reply, deps);
  };
}

function handlerContext(ctx: Context, { clients, plans, credentials, site }: AnswerDeps): HandlerContext {
  const { requestId, operationId, caller, credential = '', client } = ctx.state;
  return {
    clients,
    plans,
    requestId,
    operation: operationId === undefined ? {} : { operationId },
    caller,
    credential,
    rpc: () => callOptions(ctx.state),
    disconnectSignal: () => disconnectSignal(ctx),
    credentials,
    raw: () => ({ body: ctx.state.body ?? Buffer.alloc(0), header: (name) => ctx.get(name) }),
    browser: {
      cookie: (name) => cookieIn(ctx.req.headers.cookie, name),
      search: ctx.search,
      callbackUrl: site.callbackUrl(ctx.get('host')),
      client: { ip: client.ip, userAgent: client.userAgent ?? '' },
    },
  };
}

/** Returns a signal that is aborted when the client disconnects. */
function disconnectSignal({ res }: Context): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}

/** Returns the path parameters. Throws NOT_FOUND if one of them cannot be valid. */
function pathParams(schema: z.ZodObject, ctx: Context): Record<string, unknown> {
  const result = schema.safeParse((ctx as unknown as { params: unknown }).params);
  if (result.success) return result.data;
  throw pathNotFound(ctx);
}

async function send(ctx: Context, { success }: Route, reply: Reply, { site, log }: AnswerDeps): Promise<void> {
  if ('stream' in reply) return download(ctx, reply, log);
  if ('file' in reply) return sendFile(ctx, reply.file);
  if ('html' in reply) return showPage(ctx, reply.html);
  for (const cookie of reply.cookies ?? []) ctx.append('Set-Cookie', setCookie(cookie, site.usesSecureCookies));
  if ('data' in reply) {
    const { data, page = success.paged === 'whole' ? wholePage(data as unknown[]) : undefined } = reply;
    const cursor = success.paged === 'cursor-in-meta' ? page?.nextCursor : undefined;
    const outcome = { data, error: null, ...(page && { page }), ...(cursor !== undefined && { cursor }) };
    ctx.state.answer = { status: success.status, outcome };
    return;
  }
  ctx.status = success.status;
  if ('redirect' in reply) {
    ctx.set('Location', reply.redirect);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.body = '';
  } else {
    ctx.set('Cache-Control', reply.cacheControl);
    ctx.type = reply.type;
    ctx.body = reply.text;
  }
}
