import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../api/client.js';
import type { DeliverySummary } from '../api/records.js';
import { fail, isCliError } from '../errors.js';
import { takes } from './events.js';
import { forward } from './forward.js';
import type { Listening } from './live.js';
import { signedHeaders } from './secret.js';
import { showDelivery } from './show.js';

const INTERVAL_MS = 2_000;
/** Largest page of the API. */
const PAGE = 100;
/** Deliveries that are remembered as seen. */
const REMEMBERED = 10_000;

/** Shows and forwards what the service delivers to the workspace's endpoints from now on, until the process ends. */
export async function pollDeliveries(listening: Listening): Promise<void> {
  const { context, api } = listening;
  const { note, noteStyle } = context.terminal;
  const endpoints = await api.get('/webhooks');
  if (endpoints.length === 0)
    note(`${noteStyle.yellow('!')} The workspace has no webhook endpoint yet: nothing is delivered.`);
  const { unseen, seen } = await newDeliveries(api);
  for (let silent = false; ; await sleep(INTERVAL_MS)) {
    try {
      for (const delivery of await unseen()) {
        await pass(listening, delivery);
        seen(delivery);
      }
      silent = false;
    } catch (error) {
      if (!isCliError(error) || !passes(error.failure, error.code)) throw error;
      if (!silent) note(`${noteStyle.yellow('!')} ${error.message} Asking again.`);
      silent = true;
    }
  }
}

const passes = (failure: string, code: string | undefined) => failure === 'unavailable' || code === 'TOO_MANY_REQUESTS';

/** What is delivered from now on, by the service's clock: `unseen` answers it, oldest first, until it is told as `seen`. */
async function newDeliveries(api: Api) {
  const page = (cursor?: string) => api.page('/webhooks/deliveries', { query: { limit: PAGE, cursor } });
  const { data: before } = await page();
  const known = new Set(before.map(({ id }) => id));
  const start =
    before
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-1) ?? '';
  const unseen = async (): Promise<DeliverySummary[]> => {
    const found: DeliverySummary[] = [];
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await page(cursor);
      const fresh = data.filter(({ id, createdAt }) => createdAt >= start && !known.has(id));
      found.push(...fresh);
      // Further back there is only what was seen, or was there before.
      cursor = fresh.length > 0 ? nextCursor : undefined;
    } while (cursor !== undefined);
    return found.reverse();
  };
  const seen = ({ id }: DeliverySummary): void => {
    known.add(id);
    if (known.size > REMEMBERED) known.delete(known.values().next().value!);
  };
  return { unseen, seen };
}

async function pass({ context, api, events, target, secret }: Listening, summary: DeliverySummary): Promise<void> {
  const { id, type, eventId, status } = summary;
  if (!takes(events, type)) return;
  const shown = { type, id: eventId, state: status };
  if (!target && !context.json) return showDelivery(context, { ...shown, body: '{}' });
  const { body } = await api.get('/webhooks/deliveries/{id}', { path: { id } });
  if (body === null) throw fail('refused', 'Your role does not read the bodies of deliveries. Ask an admin.');
  // As the service sends it, but for the signature and its time.
  const plain = ['content-type', 'application/json', 'user-agent', 'Tautan-Webhooks/1', 'webhook-id', eventId];
  const rawHeaders = signedHeaders(plain, eventId, body, secret);
  const outcome = target && (await forward(target, { rawHeaders, body: Buffer.from(body) }));
  showDelivery(context, { ...shown, outcome, body });
}
