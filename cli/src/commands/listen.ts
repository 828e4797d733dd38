import { Option } from 'commander';
import { command, repeatable } from '../command.js';
import type { Context } from '../context.js';
import { fail } from '../errors.js';
import { subscription } from '../listen/events.js';
import { forwardUrl } from '../listen/forward.js';
import { removeLeftovers } from '../listen/leftovers.js';
import { listenLive, type Listening } from '../listen/live.js';
import { pollDeliveries } from '../listen/poll.js';
import { details } from '../output/details.js';
import { printable } from '../output/text.js';
import { forwardingSecret } from '../listen/secret.js';
import { readSession } from './session.js';

interface Options {
  forwardTo?: string;
  events?: string[];
}

export const listen = command<Options>({
  name: 'listen',
  summary: 'Receive webhooks on this machine, and forward them to a handler',
  options: [
    new Option('--forward-to <address>', 'address that each delivery is posted to; its response is returned'),
    repeatable('--events <types>', 'event types, such as link.created,tag.* (default: all)'),
  ],
  examples: ['listen --forward-to http://localhost:3000/hook', 'listen --events link.created,tag.* --json'],
  run: async (context, { forwardTo, events: patterns = ['*'] }) => {
    const listening = await prepare(context, forwardTo, patterns);
    const refusal = await deliversHere(listening);
    if (refusal === undefined) return;
    tellOfPolling(listening, refusal);
    await pollDeliveries(listening);
  },
});

async function prepare(context: Context, forwardTo: string | undefined, patterns: string[]): Promise<Listening> {
  const target = forwardTo === undefined ? undefined : forwardUrl(forwardTo);
  const named = patterns
    .flatMap((list) => list.split(','))
    .map((one) => one.trim())
    .filter(Boolean);
  if (named.length === 0) throw fail('usage', '--events names no event type.');
  const api = context.api();
  const events = await subscription(api, named);
  const { workspace } = await readSession(api);
  if (!workspace) throw fail('usage', 'You do not belong to a workspace yet.');
  const secret = forwardingSecret(context.environment.configDir, { service: context.url, workspaceId: workspace.id });
  return { context, api, workspaceId: workspace.id, events, secret, target };
}

/** Listens until it is interrupted, where the service can deliver to this process; else answers at once why it does not. */
async function deliversHere(listening: Listening): Promise<string | undefined> {
  const { context, api, workspaceId } = listening;
  const { note, noteStyle } = context.terminal;
  const { hostname } = new URL(context.url);
  // Elsewhere a loopback address would be that machine's, not this one's.
  if (!/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname)) return `${hostname} is another machine.`;
  const left = await removeLeftovers(api, context.environment.configDir, { service: context.url, workspaceId });
  if (left > 0)
    note(noteStyle.dim(`Removed ${left === 1 ? 'the endpoint' : `${left} endpoints`} of a listen that was killed.`));
  const refusal = await listenLive(listening, () => tellReady(listening));
  return refusal && printable(refusal.message);
}

function tellReady({ context, events, secret, target }: Listening): void {
  const { note, noteStyle: style } = context.terminal;
  const facts: [string, string | undefined][] = [
    ['Events', events[0] === '*' ? 'all' : events.join(', ')],
    ['Signing secret', style.bold(secret)],
    ['Forwarding to', target?.href],
  ];
  note(`${style.green('✓')} Listening. Press Ctrl-C to stop.\n${details(facts, style).replace(/^/gm, '  ')}\n`);
}

function tellOfPolling({ context, target, secret }: Listening, refusal: string): void {
  const { note, noteStyle: style } = context.terminal;
  note(`${style.yellow('!')} ${context.url} cannot deliver to this machine: ${refusal}`);
  note('  Watching deliveries to the endpoints of the workspace instead, every 2 s. Press Ctrl-C to stop.');
  if (target) note(`  Each is posted once to ${target.href}, signed with ${style.bold(secret)}\n`);
}
