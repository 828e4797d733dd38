import { Argument, Option } from 'commander';
import type { Api } from '../../api/client.js';
import type { BulkResult } from '../../api/records.js';
import { command } from '../../command.js';
import type { Context } from '../../context.js';
import { fail, withRemainder } from '../../errors.js';
import { counted, printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findLink } from '../find.js';
import { domainOption } from './fields.js';

/** Maximum number of links per request. */
const BATCH = 100;
/** Number of slugs resolved at once. More could exceed the rate limit again at each retry. */
const RESOLVED_AT_ONCE = 10;
/** An id. Other texts, such as `lnk_promo`, are slugs. */
const LINK_ID = /^lnk_[0-9a-z]{26}$/;

/** API actions by the name of the action on the command line. */
const actions = {
  archive: 'archive',
  activate: 'activate',
  delete: 'delete',
  tag: 'addTag',
  untag: 'removeTag',
} as const;
type Action = keyof typeof actions;

interface Options {
  tag?: string;
  domain?: string;
  yes?: boolean;
}

export const bulkLinks = command<Options>({
  name: 'bulk',
  summary: 'Archive, activate, delete, tag or untag many links',
  args: [
    new Argument('<action>', 'what to do').choices(Object.keys(actions)),
    new Argument('<link...>', 'ids or slugs, or `-` to read them from standard input, separated by whitespace'),
  ],
  options: [new Option('--tag <name>', 'tag for the actions tag and untag'), domainOption(), yes()],
  examples: [
    'links bulk tag spring summer --tag seasons',
    "links list --tag old --all --json | jq -r '.[].id' | tautan links bulk archive -",
  ],
  run: async (context, { tag, domain, yes: sure }, action, ...links) => {
    const idsOrSlugs = await readIdsOrSlugs(links.flat());
    if (idsOrSlugs.length === 0) throw fail('usage', 'No links given.');
    if ((action === 'tag' || action === 'untag') !== (tag !== undefined))
      throw fail('usage', `The action ${action} ${tag === undefined ? 'requires' : 'does not accept'} --tag.`);
    if (action === 'delete')
      await confirm(context, `Delete ${counted(idsOrSlugs.length, 'link')}? Redirecting stops immediately.`, sure);
    const { done, error } = await changeAll(context, actions[action as Action], idsOrSlugs, { tag, domain });
    if (context.json) context.terminal.printJson(done);
    else report(context, done);
    if (error) throw error;
    if (done.failed.length > 0) throw fail('refused', `${counted(done.failed.length, 'link')} not changed.`);
  },
});

/** Returns the ids or slugs in the arguments, or from standard input if the only argument is `-`. */
async function readIdsOrSlugs(links: string[]): Promise<string[]> {
  if (links.length !== 1 || links[0] !== '-') return links;
  const { text } = await import('node:stream/consumers');
  return (await text(process.stdin)).split(/\s+/).filter(Boolean);
}

/** Returns the ids of links. */
async function resolve(api: Api, idsOrSlugs: string[], domain: string | undefined): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < idsOrSlugs.length; at += RESOLVED_AT_ONCE) {
    const group = idsOrSlugs.slice(at, at + RESOLVED_AT_ONCE);
    const found = group.map(async (one) => (LINK_ID.test(one) ? one : (await findLink(api, one, domain)).id));
    ids.push(...(await Promise.all(found)));
  }
  return ids;
}

/**
 * Resolves slugs, sends the links in batches, and returns the combined result. If a batch after the first fails, stops
 * and returns its error; `done` then holds the results of the earlier batches.
 */
async function changeAll(
  { api, terminal }: Context,
  action: BulkAction,
  idsOrSlugs: string[],
  { tag, domain }: { tag: string | undefined; domain: string | undefined },
): Promise<{ done: BulkResult; error?: Error }> {
  const client = api();
  const done: BulkResult = { action, updated: 0, unchanged: 0, failed: [] };
  for (let at = 0; at < idsOrSlugs.length; at += BATCH) {
    const batch = idsOrSlugs.slice(at, at + BATCH);
    try {
      const ids = await resolve(client, batch, domain);
      const result = await client.post('/links/bulk', { body: { action, ids, ...(tag !== undefined && { tag }) } });
      done.updated += result.updated;
      done.unchanged += result.unchanged;
      done.failed.push(...result.failed);
    } catch (error) {
      terminal.progress('');
      if (at === 0) throw error;
      return { done, error: withRemainder(error, `Links from ${batch[0]} onward`, 'changed') };
    }
    terminal.progress(`${at + batch.length} of ${counted(idsOrSlugs.length, 'link')}`);
  }
  terminal.progress('');
  return { done };
}

type BulkAction = (typeof actions)[Action];

function report(
  { terminal: { print, note, style, noteStyle } }: Context,
  { updated, unchanged, failed }: BulkResult,
): void {
  for (const { id, message } of failed) note(`${noteStyle.red('✗')} ${printable(id)}  ${printable(message)}`);
  const rest = unchanged > 0 ? ` (${unchanged} unchanged)` : '';
  print(`${failed.length === 0 ? style.green('✓') : style.yellow('!')} Changed ${counted(updated, 'link')}${rest}`);
}
