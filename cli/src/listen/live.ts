import { verifyWebhook } from '@tautan/sdk';
import type { Api } from '../api/client.js';
import type { EndpointWithSecret, EventName } from '../api/records.js';
import type { Context } from '../context.js';
import { isCliError, type CliError } from '../errors.js';
import { interrupted, shielded } from '../interrupts.js';
import { forward } from './forward.js';
import { openHook, type Hook, type Incoming, type Receive } from './hook.js';
import { remember, removeEndpoint } from './leftovers.js';
import { signedHeaders } from './secret.js';
import { showDelivery } from './show.js';

const REGISTER_MS = 10_000;

/** Dependencies and settings of one run of `listen`. */
export interface Listening {
  context: Context;
  api: Api;
  workspaceId: string;
  /** Event types to receive, or only `*` for all. */
  events: string[];
  /** Signing secret of forwarded deliveries. */
  secret: string;
  /** URL of the developer's handler. Undefined without --forward-to. */
  target: URL | undefined;
}

/**
 * Creates a webhook endpoint with the URL of a local server, calls `ready`, receives deliveries until interrupted, and
 * removes the endpoint. If the service does not deliver to loopback addresses, returns its error.
 */
export async function listenLive(listening: Listening, ready: () => void): Promise<CliError | undefined> {
  const { context, api, workspaceId } = listening;
  const hook = await openHook();
  return shielded(async () => {
    const forget = remember(context.environment.configDir, { service: context.url, workspaceId, hookUrl: hook.url });
    let endpoint: EndpointWithSecret;
    try {
      endpoint = await register(listening, hook);
    } catch (error) {
      await hook.close();
      // If the response was lost, keep the record: the endpoint may exist, and the next listener then removes it.
      if (isCliError(error) && error.failure !== 'unavailable') forget();
      if (isCliError(error) && error.code === 'VALIDATION_ERROR' && error.field === 'url') return error;
      throw error;
    }
    try {
      ready();
      hook.start(receiver(listening, endpoint.secret));
      await interrupted;
    } finally {
      await unregister(context, api, endpoint.id, forget);
      await hook.close();
    }
    return undefined;
  });
}

async function register({ api, events }: Listening, { url }: Hook): Promise<EndpointWithSecret> {
  const body = { url, events: events as EventName[] };
  return api.post('/webhooks', { body, timeoutMs: REGISTER_MS });
}

async function unregister({ terminal }: Context, api: Api, id: string, forget: () => void): Promise<void> {
  try {
    await removeEndpoint(api, id);
    forget();
  } catch (error) {
    const { note, noteStyle } = terminal;
    const { message } = error as Error;
    note(
      `${noteStyle.yellow('!')} The endpoint ${id} could not be removed: ${message} The next 'tautan listen' removes it.`,
    );
  }
}

/** Outcome of a delivery that is not forwarded. */
const notForwarded = { status: 204, error: null, ms: null, headers: {}, body: '' };

/** Returns a function that verifies a delivery, forwards it, prints it, and returns the handler's response. */
function receiver({ context, target, secret }: Listening, endpointSecret: string): Receive {
  const { note, noteStyle } = context.terminal;
  return async (incoming, disconnected) => {
    if (!(await isSigned(incoming, endpointSecret))) {
      note(`${noteStyle.red('✗')} Received a request without a valid signature. It was not forwarded.`);
      return { status: 401 };
    }
    const body = incoming.body.toString();
    const { type } = JSON.parse(body) as { type: string };
    const id = String(incoming.headers['webhook-id']);
    const rawHeaders = signedHeaders(incoming.rawHeaders, id, body, secret);
    const outcome = target ? await forward(target, { rawHeaders, body: incoming.body }, disconnected) : notForwarded;
    showDelivery(context, { type, id, outcome, body });
    if (outcome.status === 410)
      note(
        `${noteStyle.yellow('!')} The handler returned 410, so the service disabled the endpoint. Restart this command.`,
      );
    return { status: outcome.status ?? 502, headers: outcome.headers, body: outcome.body };
  };
}

const isSigned = ({ body, headers }: Incoming, secret: string): Promise<boolean> =>
  verifyWebhook(body, headers, secret).then(
    () => true,
    () => false,
  );
