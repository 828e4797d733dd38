import { Argument, Option } from 'commander';
import type { UsageDriftMessage } from '@tautan/proto';
import { command, type CommandGroup, type Context } from '../command.js';
import { count, printable, table } from '../output.js';

interface Check {
  checked: number;
  /** Whether wrong counters are corrected (`--repair`). */
  repaired: boolean;
  drifts: UsageDriftMessage[];
  /** The given workspaces for which the service has no current counters. */
  withoutCounters: string[];
}

/** Checks the counters of a workspace, or of all workspaces if the id is empty, and adds the results to `check`. */
async function checkPages({ service }: Context, workspaceId: string, check: Check): Promise<void> {
  const before = check.checked;
  let after = '';
  do {
    const page = await service.call('usage', 'CheckUsage', { workspaceId, repair: check.repaired, after });
    check.checked += page.checked;
    check.drifts.push(...page.drifts);
    after = page.next;
  } while (after !== '');
  if (workspaceId !== '' && check.checked === before) check.withoutCounters.push(workspaceId);
}

function outcomeOf({ checked, repaired, drifts }: Check): string {
  if (checked === 0) return 'No counters to check.';
  if (drifts.length === 0) return `${count(checked, 'counter')} checked, all correct.`;
  const rows = drifts.map(({ workspaceId, limit, month, drift }) => [
    workspaceId,
    limit,
    month ?? '',
    drift > 0 ? `${drift} too high` : `${-drift} too low`,
  ]);
  const wrong = `${drifts.length} of ${count(checked, 'counter')}`;
  const outcome = repaired
    ? `Repaired ${wrong}.`
    : `Found wrong values in ${wrong}. To repair them, run: tautan-admin usage check --repair`;
  return `${table(['WORKSPACE', 'LIMIT', 'MONTH', 'COUNTER'], rows)}\n\n${outcome}`;
}

const textOf = (check: Check): string =>
  [
    outcomeOf(check),
    ...check.withoutCounters.map(
      (id) => `This service has no counters for ${printable(id)}: the id is wrong, or there is nothing to count.`,
    ),
  ].join('\n');

const check = command<Check, { repair?: boolean }>({
  name: 'check',
  summary: 'Compare plan limit counters with the actual numbers; exits with 1 if one is wrong and not repaired',
  args: [new Argument('[workspaces...]', 'workspace ids (default: all)')],
  options: [new Option('--repair', 'correct counters that are wrong')],
  rpc: 'CheckUsage',
  hintWorkload: 'links',
  run: async (context, { repair = false }, given: string[]) => {
    const found: Check = { checked: 0, repaired: repair, drifts: [], withoutCounters: [] };
    for (const workspaceId of given.length > 0 ? given : ['']) await checkPages(context, workspaceId, found);
    return found;
  },
  text: textOf,
  failed: ({ drifts, repaired }) => drifts.length > 0 && !repaired,
});

export const usage: CommandGroup = {
  name: 'usage',
  summary: 'Check the plan limit counters of the service on this host (links, qr, webhooks or workspaces)',
  commands: [check],
};
