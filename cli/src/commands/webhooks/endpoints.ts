import { Argument, Option } from 'commander';
import type { Api } from '../../api/client.js';
import type { Endpoint, EndpointWithSecret, EventName } from '../../api/records.js';
import { command, repeatable } from '../../command.js';
import type { Context } from '../../context.js';
import { fail } from '../../errors.js';
import { matchingEventTypes, patternsOf } from '../../listen/events.js';
import { endpointTable } from '../../output/webhook.js';
import { printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findNamed } from '../find.js';

export const endpointArgument = (): Argument => new Argument('<endpoint>', 'id or URL');

/** Returns the endpoint with this id or URL. Throws `notFound` if there is none. */
export const findEndpoint = async (api: Api, idOrUrl: string): Promise<Endpoint> =>
  findNamed(await api.get('/webhooks'), {
    wanted: idOrUrl,
    name: ({ url }) => url,
    noun: 'endpoint',
    normalize: normalizedUrl,
  });

/** Returns a URL in the form that the service stores. */
function normalizedUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

const eventsOption = (defaultText: string) =>
  repeatable('--events <types>', `event types, such as link.created,tag.* (default: ${defaultText})`);

/** Returns the event types that match lists of patterns such as `link.created,tag.*`. */
export const eventsOf = async (api: Api, lists: string[]): Promise<EventName[]> =>
  (await matchingEventTypes(api, patternsOf(lists))) as EventName[];

function showSecret({ terminal, json }: Context, endpoint: EndpointWithSecret): void {
  if (json) return terminal.printJson(endpoint);
  terminal.print(endpoint.secret);
  terminal.note(terminal.noteStyle.dim(`Signing secret of ${endpoint.id}. It is shown only once.`));
}

export const listEndpoints = command({
  name: 'list',
  summary: 'List webhook endpoints',
  run: async ({ api, terminal: { print, printJson, style, width }, json, suggest }) => {
    const endpoints = await api().get('/webhooks');
    if (json) return printJson(endpoints);
    if (endpoints.length > 0) return print(endpointTable(endpoints, style, width));
    print(`No webhook endpoints yet. Create one with:\n\n  ${suggest('webhooks create https://example.com/hook')}`);
  },
});

export const createEndpoint = command<{ events?: string[] }>({
  name: 'create',
  summary: 'Create a webhook endpoint and print its signing secret',
  args: [new Argument('<url>', 'https URL that receives the events')],
  options: [eventsOption('all')],
  examples: ['webhooks create https://example.com/hook --events link.created,link.deleted'],
  run: async (context, { events = ['*'] }, url) => {
    const api = context.api();
    showSecret(context, await api.post('/webhooks', { body: { url, events: await eventsOf(api, events) } }));
  },
});

export const updateEndpoint = command<{ to?: string; events?: string[] }>({
  name: 'update',
  summary: 'Change the URL or the events of an endpoint; its secret stays the same',
  args: [endpointArgument()],
  options: [new Option('--to <url>', 'new URL'), eventsOption('unchanged')],
  run: async ({ api, terminal, json }, { to, events }, idOrUrl) => {
    if (to === undefined && !events)
      throw fail('usage', 'Nothing to change.', { hint: 'See: tautan webhooks update --help' });
    const client = api();
    const { id } = await findEndpoint(client, idOrUrl);
    const body = { ...(to !== undefined && { url: to }), ...(events && { events: await eventsOf(client, events) }) };
    const endpoint = await client.patch('/webhooks/{id}', { path: { id }, body });
    if (json) terminal.printJson(endpoint);
    else terminal.print(`${terminal.style.green('✓')} Updated ${endpoint.id}`);
  },
});

/** Returns the command that pauses (`active` is false) or resumes an endpoint. `verb` begins its output. */
const activationCommand = (name: string, summary: string, active: boolean, verb: string) =>
  command({
    name,
    summary,
    args: [endpointArgument()],
    run: async ({ api, terminal, json }, _options, idOrUrl) => {
      const client = api();
      const { id } = await findEndpoint(client, idOrUrl);
      const endpoint = await client.patch('/webhooks/{id}', { path: { id }, body: { active } });
      if (json) terminal.printJson(endpoint);
      else terminal.print(`${terminal.style.green('✓')} ${verb} ${printable(endpoint.url)}`);
    },
  });

export const pauseEndpoint = activationCommand('pause', 'Stop sending events to an endpoint', false, 'Paused');
export const resumeEndpoint = activationCommand('resume', 'Send events to a paused endpoint again', true, 'Resumed');

export const deleteEndpoint = command<{ yes?: boolean }>({
  name: 'delete',
  summary: 'Delete an endpoint',
  args: [endpointArgument()],
  options: [yes()],
  run: async (context, { yes: sure }, idOrUrl) => {
    const { terminal, json } = context;
    const api = context.api();
    const { id, url } = await findEndpoint(api, idOrUrl);
    await confirm(context, `Delete the endpoint ${printable(url)}?`, sure);
    const data = await api.delete('/webhooks/{id}', { path: { id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Deleted ${printable(url)}`);
  },
});

export const rotateSecret = command<{ yes?: boolean }>({
  name: 'rotate-secret',
  summary: 'Replace the signing secret of an endpoint and print the new one',
  args: [endpointArgument()],
  options: [yes()],
  run: async (context, { yes: sure }, idOrUrl) => {
    const api = context.api();
    const { id, url } = await findEndpoint(api, idOrUrl);
    await confirm(context, `Replace the signing secret of ${printable(url)}?`, sure);
    showSecret(context, await api.post('/webhooks/{id}/rotate-secret', { path: { id } }));
  },
});
