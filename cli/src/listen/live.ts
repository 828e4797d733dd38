import { verifyWebhook } from '@tautan/sdk';
import type { Api } from '../api/client.js';
import type { EventName, NewEndpoint } from '../api/records.js';
import type { Context } from '../context.js';
import { isCliError, type CliError } from '../errors.js';
import { interrupted, shielded } from '../interrupts.js';
import { forward } from './forward.js';
import { openHook, type Hook, type Incoming, type Receive } from './hook.js';
import { remember, removeEndpoint } from './leftovers.js';
import { signedHeaders } from './secret.js';
import { showDelivery } from './show.js';

const REGISTER_MS = 10_000;

export interface Listening {
  context: Context;
  api: Api;
  workspaceId: string;
  /** What the endpoint subscribes to. */
  events: string[];
  /** Secret that forwarded deliveries are signed with. */
  secret: string;
  /** The developer's handler. */
  target: URL | undefined;
}

/**
 * Has the service deliver to this process until it is interrupted; the endpoint is removed whichever way that ends.
 * Answers the service's refusal when it delivers to no loopback address.
 */
export async function listenLive(listening: Listening, ready: () => void): Promise<CliError | undefined> {
  const { context, api, workspaceId } = listening;
  const hook = await openHook();
  return shielded(async () => {
    const forget = remember(context.environment.configDir, { service: context.url, workspaceId, hookUrl: hook.url });
    let endpoint: NewEndpoint;
    try {
      endpoint = await register(listening, hook);
    } catch (error) {
      await hook.close();
      // A lost answer may have made it: then it stays remembered, for the next listener to remove.
      if (isCliError(error) && error.failure !== 'unavailable') forget();
      if (isCliError(error) && error.code === 'VALIDATION_ERROR' && error.field === 'url') return error;
      throw error;
    }
    try {
      ready();
      hook.start(receiver(listening, endpoint.secret));
      await interrupted;
    } finally {
      await leave(context, api, endpoint.id, forget);
      await hook.close();
    }
    return undefined;
  });
}

async function register({ api, events }: Listening, { url }: Hook): Promise<NewEndpoint> {
  const body = { url, events: events as EventName[] };
  return api.post('/webhooks', { body, timeoutMs: REGISTER_MS });
}

async function leave({ terminal }: Context, api: Api, id: string, forget: () => void): Promise<void> {
  try {
    await removeEndpoint(api, id);
    forget();
  } catch (error) {
    const { note, noteStyle } = terminal;
    note(
      `${noteStyle.yellow('!')} The endpoint ${id} is still there: ${(error as Error).message} The next listen removes it.`,
    );
  }
}

/** The answer where there is no handler to ask. */
const taken = { status: 204, error: null, ms: null, headers: {}, body: '' };

/** Verifies a delivery, hands it on, shows it, and answers the service what the handler answered. */
function receiver({ context, target, secret }: Listening, endpointSecret: string): Receive {
  const { note, noteStyle } = context.terminal;
  return async (incoming, gone) => {
    if (!(await isSigned(incoming, endpointSecret))) {
      note(`${noteStyle.red('✗')} Something posted what is not signed by the service; it is not forwarded.`);
      return { status: 401 };
    }
    const body = incoming.body.toString();
    const { type } = JSON.parse(body) as { type: string };
    const id = String(incoming.headers['webhook-id']);
    const rawHeaders = signedHeaders(incoming.rawHeaders, id, body, secret);
    const outcome = target ? await forward(target, { rawHeaders, body: incoming.body }, gone) : taken;
    showDelivery(context, { type, id, outcome, body });
    if (outcome.status === 410)
      note(
        `${noteStyle.yellow('!')} 410 has the service switch the endpoint off: nothing more will come. Listen again.`,
      );
    return { status: outcome.status ?? 502, headers: outcome.headers, body: outcome.body };
  };
}

const isSigned = ({ body, headers }: Incoming, secret: string): Promise<boolean> =>
  verifyWebhook(body, headers, secret).then(
    () => true,
    () => false,
  );
