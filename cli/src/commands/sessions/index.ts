import { Argument } from 'commander';
import type { UserSession } from '../../api/records.js';
import { command, type CommandGroup } from '../../command.js';
import { table } from '../../output/table.js';
import { counted } from '../../output/text.js';
import { formatRelativeTime } from '../../output/times.js';
import { confirm, yes } from '../confirm.js';

const listSessions = command({
  name: 'list',
  summary: 'List your browser sessions, newest first',
  run: async ({ api, terminal: { print, printJson, style, width }, json }) => {
    const sessions = await api().get('/auth/sessions');
    if (json) return printJson(sessions);
    if (sessions.length === 0) return print('You have no browser sessions.');
    print(
      table<UserSession>(
        sessions,
        [
          { title: 'BROWSER', value: ({ userAgent }) => userAgent ?? 'unknown', minWidth: 12 },
          { title: 'IP ADDRESS', value: ({ ip }) => ip ?? 'unknown', omitPriority: 2 },
          { title: 'LAST USED', value: ({ lastSeenAt }) => formatRelativeTime(lastSeenAt), omitPriority: 1 },
          {
            title: 'SIGNED IN',
            value: ({ createdAt }) => formatRelativeTime(createdAt),
            paint: style.dim,
            omitPriority: 3,
          },
          { title: 'ID', value: ({ id }) => id, paint: style.dim },
        ],
        style,
        width,
      ),
    );
  },
});

const revokeSession = command<{ yes?: boolean }>({
  name: 'revoke',
  summary: 'Sign out of one browser',
  args: [new Argument('<session>', 'id of the session')],
  options: [yes()],
  run: async (context, { yes: sure }, id) => {
    const { terminal, json } = context;
    await confirm(context, `End the session ${id}?`, sure);
    const data = await context.api().delete('/auth/sessions/{id}', { path: { id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Ended the session`);
  },
});

const revokeSessions = command<{ yes?: boolean }>({
  name: 'revoke-all',
  summary: 'Sign out of every browser; this terminal stays signed in',
  options: [yes()],
  run: async (context, { yes: sure }) => {
    const { terminal, json } = context;
    await confirm(context, 'End all your browser sessions?', sure);
    const data = await context.api().delete('/auth/sessions');
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Ended ${counted(data.count, 'session')}`);
  },
});

export const sessions: CommandGroup = {
  name: 'sessions',
  summary: 'List and end your browser sessions',
  commands: [listSessions, revokeSession, revokeSessions],
};
