import { Argument, Option } from 'commander';
import type { Api } from '../../api/client.js';
import type { BulkResult } from '../../api/records.js';
import { command } from '../../command.js';
import type { Context } from '../../context.js';
import { fail, interruptedBatch, isCliError, withRemainder } from '../../errors.js';
import { onInterrupt } from '../../interrupts.js';
import { showError } from '../../output/terminal.js';
import { counted, printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findLink } from '../find.js';
import { domainOption } from './fields.js';

/** Maximum number of links per request. */
const BATCH = 100;
/** Maximum number of slugs resolved concurrently. With more, every retry could exceed the rate limit again. */
const MAX_CONCURRENT_LOOKUPS = 10;
/** An id. Other texts, such as `lnk_promo`, are slugs. */
const LINK_ID = /^lnk_[0-9a-z]{26}$/;

/** API actions, keyed by the action on the command line. */
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
    const given = links.flat();
    const fromInput = given.length === 1 && given[0] === '-';
    // The answer to a confirmation could not be read from the same input.
    if (fromInput && action === 'delete' && !sure)
      throw fail('usage', 'Confirmation is required, but standard input contains the links.', {
        hint: 'Add --yes to confirm.',
      });
    const idsOrSlugs = fromInput ? await readIdsOrSlugs() : given;
    if (idsOrSlugs.length === 0) throw fail('usage', 'No links given.');
    if ((action === 'tag' || action === 'untag') !== (tag !== undefined))
      throw fail('usage', `The action ${action} ${tag === undefined ? 'requires' : 'does not accept'} --tag.`);
    if (action === 'delete')
      await confirm(context, `Delete ${counted(idsOrSlugs.length, 'link')}? Redirecting stops immediately.`, sure);
    const { done, error } = await changeAll(context, actions[action as Action], idsOrSlugs, { tag, domain });
    show(context, done);
    if (error) throw error;
    if (done.failed.length > 0) throw fail('refused', `${counted(done.failed.length, 'link')} not changed.`);
  },
});

/** Returns the ids or slugs on standard input. */
async function readIdsOrSlugs(): Promise<string[]> {
  const { text } = await import('node:stream/consumers');
  return (await text(process.stdin)).split(/\s+/).filter(Boolean);
}

/** Returns the ids of the given links. Looks up links that are given by slug. */
async function resolve(api: Api, idsOrSlugs: string[], domain: string | undefined): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < idsOrSlugs.length; at += MAX_CONCURRENT_LOOKUPS) {
    const group = idsOrSlugs.slice(at, at + MAX_CONCURRENT_LOOKUPS);
    const found = group.map(async (one) => (LINK_ID.test(one) ? one : idOf(api, one, domain)));
    ids.push(...(await Promise.all(found)));
  }
  return ids;
}

/** Returns the id of the link with the given slug. If no link has the slug, throws an error that names the slug. */
async function idOf(api: Api, slug: string, domain: string | undefined): Promise<string> {
  try {
    return (await findLink(api, slug, domain)).id;
  } catch (error) {
    if (isCliError(error) && error.code === 'NOT_FOUND') throw fail('notFound', `No link found: ${slug}.`, error);
    throw error;
  }
}

/**
 * Resolves slugs, sends the links in batches, and returns the combined result. If a batch after the first fails, stops
 * and returns its error; `done` then holds the results of the earlier batches.
 */
async function changeAll(
  context: Context,
  action: BulkAction,
  idsOrSlugs: string[],
  { tag, domain }: { tag: string | undefined; domain: string | undefined },
): Promise<{ done: BulkResult; error?: Error }> {
  const { terminal } = context;
  const client = context.api();
  const done: BulkResult = { action, updated: 0, unchanged: 0, failed: [] };
  for (let at = 0; at < idsOrSlugs.length; at += BATCH) {
    const batch = idsOrSlugs.slice(at, at + BATCH);
    const remainder = `Links from ${batch[0]} onward`;
    const unregister = onInterrupt(() => {
      terminal.progress('');
      if (at > 0) show(context, done);
      showError(terminal, interruptedBatch(remainder, 'changed'), { json: context.json });
    });
    try {
      const ids = await resolve(client, batch, domain);
      const result = await client.post('/links/bulk', { body: { action, ids, ...(tag !== undefined && { tag }) } });
      done.updated += result.updated;
      done.unchanged += result.unchanged;
      done.failed.push(...result.failed);
    } catch (error) {
      terminal.progress('');
      if (at === 0) throw error;
      return { done, error: withRemainder(error, remainder, 'changed') };
    } finally {
      unregister();
    }
    terminal.progress(`${at + batch.length} of ${counted(idsOrSlugs.length, 'link')}`);
  }
  terminal.progress('');
  return { done };
}

type BulkAction = (typeof actions)[Action];

function show({ json, terminal: { print, printJson, note, style, noteStyle } }: Context, done: BulkResult): void {
  if (json) return printJson(done);
  const { updated, unchanged, failed } = done;
  for (const { id, message } of failed) note(`${noteStyle.red('✗')} ${printable(id)}  ${printable(message)}`);
  const rest = unchanged > 0 ? ` (${unchanged} unchanged)` : '';
  print(`${failed.length === 0 ? style.green('✓') : style.yellow('!')} Changed ${counted(updated, 'link')}${rest}`);
}
