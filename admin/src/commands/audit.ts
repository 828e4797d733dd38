import { Argument } from 'commander';
import { command, type CommandGroup, type Context } from '../command.js';
import { count } from '../output.js';
import { readWorkspaces } from './workspaces.js';

const verify = ({ service }: Context, workspaceId: string) =>
  service.call('workspaces', 'VerifyAuditLog', { workspaceId });
type Verdict = Awaited<ReturnType<typeof verify>>;

function lineOf({ workspaceId, entries, broken }: Verdict): string {
  if (!broken) return `${workspaceId}  intact, ${count(entries, 'entry', 'entries')}`;
  return `${workspaceId}  BROKEN at entry ${broken.seq}${broken.id === '' ? '' : ` (${broken.id})`}: ${broken.reason}`;
}

const verifyLogs = command<Verdict[]>({
  name: 'verify',
  summary: 'Verify the hash chain of audit logs; exits with 1 if one is broken',
  args: [new Argument('[workspaces...]', 'workspace ids (default: all)')],
  rpc: 'VerifyAuditLog',
  hintWorkload: 'workspaces',
  run: async (context, _options, given: string[]) => {
    const ids =
      given.length > 0 ? given : (await readWorkspaces(context, { limit: 0, all: true })).entries.map(({ id }) => id);
    const verdicts: Verdict[] = [];
    for (const id of ids) verdicts.push(await verify(context, id));
    return verdicts;
  },
  text: (verdicts) => verdicts.map(lineOf).join('\n') || 'No workspaces.',
  failed: (verdicts) => verdicts.some(({ broken }) => broken),
});

export const audit: CommandGroup = { name: 'audit', summary: 'Verify audit logs', commands: [verifyLogs] };
