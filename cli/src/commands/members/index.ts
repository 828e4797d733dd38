import { Argument, Option } from 'commander';
import type { Api } from '../../api/client.js';
import type { Member } from '../../api/records.js';
import { command, type CommandGroup } from '../../command.js';
import { table } from '../../output/table.js';
import { printable } from '../../output/text.js';
import { formatRelativeTime } from '../../output/times.js';
import { confirm, yes } from '../confirm.js';
import { findNamed } from '../find.js';

type Role = 'admin' | 'member' | 'viewer';
const roles = ['admin', 'member', 'viewer'];

const memberArgument = () => new Argument('<member>', 'email address or id');

const findMember = async (api: Api, wanted: string): Promise<Member> =>
  findNamed(await api.get('/workspaces/current/members'), { wanted, name: ({ email }) => email, noun: 'member' });

const listMembers = command({
  name: 'list',
  summary: 'List the members of the workspace and its open invitations',
  run: async ({ api, terminal: { print, printJson, style, width }, json }) => {
    const members = await api().get('/workspaces/current/members');
    if (json) return printJson(members);
    print(
      table<Member>(
        members,
        [
          { title: 'EMAIL', value: ({ email }) => email, paint: style.cyan, minWidth: 16 },
          { title: 'NAME', value: ({ name }) => name, minWidth: 8, omitPriority: 2 },
          { title: 'ROLE', value: ({ role }) => role },
          {
            title: 'STATUS',
            value: ({ status }) => status,
            paint: (cell, { status }) => (status === 'active' ? cell : style.yellow(cell)),
          },
          {
            title: 'JOINED',
            value: ({ joinedAt }) => (joinedAt ? formatRelativeTime(joinedAt) : ''),
            paint: style.dim,
            omitPriority: 1,
          },
          { title: 'ID', value: ({ id }) => id, paint: style.dim, omitPriority: 3 },
        ],
        style,
        width,
      ),
    );
  },
});

const inviteMember = command<{ role: Role }>({
  name: 'invite',
  summary: 'Invite a user to the workspace',
  args: [new Argument('<email>', 'email address of the user')],
  options: [new Option('--role <role>', 'role of the user').choices(roles).default('member')],
  examples: ['members invite mira@example.com --role viewer'],
  run: async ({ api, terminal, json }, { role }, email) => {
    const member = await api().post('/workspaces/current/members', { body: { email, role } });
    if (json) return terminal.printJson(member);
    terminal.print(`${terminal.style.green('✓')} Invited ${printable(member.email)} as ${member.role}`);
  },
});

const changeRole = command({
  name: 'role',
  summary: 'Change the role of a member',
  args: [memberArgument(), new Argument('<role>', 'new role').choices(roles)],
  examples: ['members role mira@example.com admin'],
  run: async ({ api, terminal, json }, _options, wanted, role) => {
    const client = api();
    const { id } = await findMember(client, wanted);
    const body = { role: role as Role };
    const member = await client.patch('/workspaces/current/members/{id}', { path: { id }, body });
    if (json) return terminal.printJson(member);
    terminal.print(`${terminal.style.green('✓')} ${printable(member.email)} is now ${member.role}`);
  },
});

const removeMember = command<{ yes?: boolean }>({
  name: 'remove',
  summary: 'Remove a member, or yourself, from the workspace',
  args: [memberArgument()],
  options: [yes()],
  run: async (context, { yes: sure }, wanted) => {
    const { terminal, json } = context;
    const api = context.api();
    const { id, email } = await findMember(api, wanted);
    await confirm(context, `Remove ${printable(email)}? API keys that this member created are revoked.`, sure);
    const data = await api.delete('/workspaces/current/members/{id}', { path: { id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Removed ${printable(email)}`);
  },
});

export const members: CommandGroup = {
  name: 'members',
  summary: 'List, invite and remove members, and change their roles',
  commands: [listMembers, inviteMember, changeRole, removeMember],
};
