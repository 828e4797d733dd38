import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../api/client.js';
import type { DeliverySummary } from '../api/records.js';
import { fail, isCliError } from '../errors.js';
import { includesEvent } from './events.js';
import { forward } from './forward.js';
import type { Listening } from './live.js';
import { signedHeaders } from './secret.js';
import { showDelivery } from './show.js';

const INTERVAL_MS = 2_000;
/** Maximum page size of the API. */
const PAGE_SIZE = 100;
/** Maximum number of handled deliveries whose ids are remembered. */
const MAX_REMEMBERED = 10_000;

/** Prints and forwards new deliveries to the workspace's endpoints until the process ends. */
export async function pollDeliveries(listening: Listening): Promise<void> {
  const { context, api } = listening;
  const { note, noteStyle } = context.terminal;
  const endpoints = await api.get('/webhooks');
  if (endpoints.length === 0)
    note(`${noteStyle.yellow('!')} The workspace has no webhook endpoints, so nothing is delivered.`);
  const { unseen, seen } = await newDeliveries(api);
  for (let isRetrying = false; ; await sleep(INTERVAL_MS)) {
    try {
      for (const delivery of await unseen()) {
        await printAndForward(listening, delivery);
        seen(delivery);
      }
      isRetrying = false;
    } catch (error) {
      if (!isCliError(error) || !isTemporary(error.failure, error.code)) throw error;
      if (!isRetrying) note(`${noteStyle.yellow('!')} ${error.message} Retrying.`);
      isRetrying = true;
    }
  }
}

const isTemporary = (failure: string, code: string | undefined) =>
  failure === 'unavailable' || code === 'TOO_MANY_REQUESTS';

/**
 * Tracks the deliveries created after the call, by the service's clock. `unseen` returns them, oldest first, until `seen`
 * marks them as handled.
 */
async function newDeliveries(api: Api) {
  const page = (cursor?: string) => api.page('/webhooks/deliveries', { query: { limit: PAGE_SIZE, cursor } });
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
      // Older deliveries are seen or predate the start.
      cursor = fresh.length > 0 ? nextCursor : undefined;
    } while (cursor !== undefined);
    return found.reverse();
  };
  const seen = ({ id }: DeliverySummary): void => {
    known.add(id);
    if (known.size > MAX_REMEMBERED) known.delete(known.values().next().value!);
  };
  return { unseen, seen };
}

async function printAndForward(
  { context, api, events, target, secret }: Listening,
  summary: DeliverySummary,
): Promise<void> {
  const { id, type, eventId, status } = summary;
  if (!includesEvent(events, type)) return;
  const shown = { type, id: eventId, state: status };
  if (!target && !context.json) return showDelivery(context, { ...shown, body: '{}' });
  const { body } = await api.get('/webhooks/deliveries/{id}', { path: { id } });
  if (body === null) throw fail('refused', 'Your role cannot read the bodies of deliveries. Ask an admin.');
  // The same request as the service sends, except for signature and timestamp.
  const plain = ['content-type', 'application/json', 'user-agent', 'Tautan-Webhooks/1', 'webhook-id', eventId];
  const rawHeaders = signedHeaders(plain, eventId, body, secret);
  const outcome = target && (await forward(target, { rawHeaders, body: Buffer.from(body) }));
  showDelivery(context, { ...shown, outcome, body });
}
