import { Argument, Option } from 'commander';
import type { DeliverySummary } from '../../api/records.js';
import { command, type CommandGroup } from '../../command.js';
import { fail } from '../../errors.js';
import { deliveryDetails, deliveryTable, eventTypeTable } from '../../output/webhook.js';
import { noteMore, pageOptions, readPages, type PageOptions } from '../pages.js';
import { endpointArgument, findEndpoint } from './endpoints.js';

const deliveryArgument = () => new Argument('<delivery>', 'id of the delivery');
/** Maximum page size of deliveries. */
const MAX_PAGE = 100;

interface ListOptions extends PageOptions {
  status?: DeliverySummary['status'];
  type?: string;
  endpoint?: string;
}

const listDeliveries = command<ListOptions>({
  name: 'list',
  summary: 'List deliveries, newest first',
  options: [
    ...pageOptions('list all deliveries'),
    new Option('--status <status>', 'with this status').choices(['pending', 'succeeded', 'failed']),
    new Option('--type <type>', 'of this event type'),
    new Option('--endpoint <endpoint>', 'to this endpoint (id or URL)'),
  ],
  examples: ['webhooks deliveries list --status failed'],
  run: async ({ api, terminal, json }, { limit, all, status, type, endpoint }) => {
    const client = api();
    const subscriptionId = endpoint === undefined ? undefined : (await findEndpoint(client, endpoint)).id;
    // The API rejects unknown types.
    const filters = { status, type: type as 'link.created' | undefined, subscriptionId };
    const { records, hasMore } = await readPages(
      (page) =>
        client.page('/webhooks/deliveries', { query: { ...filters, ...page, limit: Math.min(page.limit, MAX_PAGE) } }),
      { limit, all },
    );
    if (json) return terminal.printJson(records);
    if (records.length === 0) return terminal.print('No deliveries.');
    terminal.print(deliveryTable(records, terminal.style, terminal.width));
    if (hasMore) noteMore(terminal, records.length);
  },
});

const getDelivery = command({
  name: 'get',
  summary: 'Show a delivery with its body and every attempt',
  args: [deliveryArgument()],
  run: async ({ api, terminal, json }, _options, id) => {
    const delivery = await api().get('/webhooks/deliveries/{id}', { path: { id } });
    if (json) terminal.printJson(delivery);
    else terminal.print(deliveryDetails(delivery, terminal.style, terminal.width));
  },
});

const retryDelivery = command({
  name: 'retry',
  summary: 'Retry a delivery now',
  args: [deliveryArgument()],
  run: async ({ api, terminal, json }, _options, id) => {
    const delivery = await api().post('/webhooks/deliveries/{id}/retry', { path: { id } });
    if (json) terminal.printJson(delivery);
    else terminal.print(`${terminal.style.green('✓')} Queued ${delivery.id} for another attempt`);
  },
});

export const deliveries: CommandGroup = {
  name: 'deliveries',
  summary: 'List, show and retry deliveries',
  commands: [listDeliveries, getDelivery, retryDelivery],
};

export const testEndpoint = command({
  name: 'test',
  summary: 'Send a test event to an endpoint and show the delivery',
  args: [endpointArgument()],
  run: async ({ api, terminal, json }, _options, wanted) => {
    const client = api();
    const { id } = await findEndpoint(client, wanted);
    const delivery = await client.post('/webhooks/{id}/test', { path: { id } });
    if (json) terminal.printJson(delivery);
    else terminal.print(deliveryDetails(delivery, terminal.style, terminal.width));
    if (delivery.status === 'failed') throw fail('refused', 'The endpoint did not accept the test event.');
  },
});

export const listEventTypes = command({
  name: 'event-types',
  summary: 'List the event types that endpoints can subscribe to',
  run: async ({ api, terminal, json }) => {
    const types = await api().get('/webhooks/event-types');
    if (json) terminal.printJson(types);
    else terminal.print(eventTypeTable(types, terminal.style, terminal.width));
  },
});
