import type { DeliverySummary } from '../api/records.js';
import { fail } from '../errors.js';
import { followList } from '../follow.js';
import { includesEvent } from './events.js';
import { forward } from './forward.js';
import type { Listening } from './live.js';
import { signedHeaders } from './secret.js';
import { showDelivery } from './show.js';

/** Maximum page size of deliveries. */
const PAGE_SIZE = 100;

/**
 * Polls for new deliveries that the service sends to the workspace's endpoints, until the process ends. Prints each
 * delivery whose event type is in `events`, and forwards a copy of the delivery to `target`, if given.
 */
export async function pollDeliveries(listening: Listening): Promise<never> {
  const { context, api } = listening;
  const { note, noteStyle } = context.terminal;
  const endpoints = await api.get('/webhooks');
  if (endpoints.length === 0)
    note(`${noteStyle.yellow('!')} The workspace has no webhook endpoints, so nothing is delivered.`);
  const page = (cursor?: string) => api.page('/webhooks/deliveries', { query: { limit: PAGE_SIZE, cursor } });
  return followList(context, page, (delivery) => printAndForward(listening, delivery));
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
  // The headers that the service sends, except for the timestamp and the signature.
  const unsigned = ['content-type', 'application/json', 'user-agent', 'Tautan-Webhooks/1', 'webhook-id', eventId];
  const rawHeaders = signedHeaders(unsigned, eventId, body, secret);
  const outcome = target && (await forward(target, { rawHeaders, body: Buffer.from(body) }));
  showDelivery(context, { ...shown, outcome, body });
}
