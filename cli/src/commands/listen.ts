import { Option } from 'commander';
import { command, repeatable } from '../command.js';
import { isLoopbackHost, type Context } from '../context.js';
import { fail } from '../errors.js';
import { matchingEventTypes, patternsOf } from '../listen/events.js';
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
  summary: 'Receive webhooks on this machine and forward them to a handler',
  options: [
    new Option(
      '--forward-to <address>',
      "URL of the handler to which each delivery is posted; the handler's response is returned to the service if the service can deliver to this machine",
    ),
    repeatable('--events <types>', 'event types, such as link.created,tag.* (default: all)'),
  ],
  examples: ['listen --forward-to http://localhost:3000/hook', 'listen --events link.created,tag.* --json'],
  run: async (context, { forwardTo, events: lists = ['*'] }) => {
    const listening = await prepare(context, forwardTo, lists);
    const refusal = await listenUnlessRefused(listening);
    if (refusal === undefined) return;
    printPolling(listening, refusal);
    await pollDeliveries(listening);
  },
});

async function prepare(context: Context, forwardTo: string | undefined, lists: string[]): Promise<Listening> {
  const target = forwardTo === undefined ? undefined : forwardUrl(forwardTo);
  const patterns = patternsOf(lists);
  const api = context.api();
  const events = await matchingEventTypes(api, patterns);
  const { workspace } = await readSession(api);
  if (!workspace) throw fail('usage', 'You are not a member of any workspace.');
  const secret = forwardingSecret(context.environment.configDir, {
    serviceUrl: context.url,
    workspaceId: workspace.id,
  });
  return { context, api, workspaceId: workspace.id, events, secret, target };
}

/** If the service can deliver to this process, listens until interrupted. Otherwise returns why it cannot deliver. */
async function listenUnlessRefused(listening: Listening): Promise<string | undefined> {
  const { context, api, workspaceId } = listening;
  const { note, noteStyle } = context.terminal;
  const { hostname } = new URL(context.url);
  // A remote service would deliver to its own loopback address, not to this machine.
  if (!isLoopbackHost(hostname)) return `${hostname} is a remote machine.`;
  const removed = await removeLeftovers(api, context.environment.configDir, { service: context.url, workspaceId });
  if (removed > 0)
    note(
      noteStyle.dim(
        `Removed ${removed === 1 ? 'the endpoint' : `${removed} endpoints`} left by an earlier 'tautan listen'.`,
      ),
    );
  const refusal = await listenLive(listening, () => printReady(listening));
  return refusal && printable(refusal.message);
}

function printReady({ context, events, secret, target }: Listening): void {
  const { note, noteStyle: style } = context.terminal;
  const facts: [string, string | undefined][] = [
    ['Events', events[0] === '*' ? 'all' : events.join(', ')],
    ['Signing secret', style.bold(secret)],
    ['Forwarding to', target?.href],
  ];
  note(`${style.green('✓')} Listening. Press Ctrl-C to stop.\n${details(facts, style).replace(/^/gm, '  ')}\n`);
}

function printPolling({ context, target, secret }: Listening, refusal: string): void {
  const { note, noteStyle: style } = context.terminal;
  note(`${style.yellow('!')} ${context.url} cannot deliver to this machine: ${refusal}`);
  note("  Polling deliveries to the workspace's endpoints every 2 s instead. Press Ctrl-C to stop.");
  if (target) note(`  Each delivery is posted once to ${target.href}, signed with ${style.bold(secret)}\n`);
}
