import type { Workspace } from '../../api/records.js';
import { command } from '../../command.js';
import { table } from '../../output/table.js';
import { count } from '../../output/text.js';

const number = (value: number | undefined) => (value === undefined ? '' : count(value));

export const listWorkspaces = command({
  name: 'list',
  summary: 'List the workspaces you belong to',
  run: async ({ api, terminal: { print, printJson, style, width }, json, workspaceId }) => {
    const data = await api().get('/workspaces', { workspaceId: null });
    const workspaces = data.map((one) => ({
      ...one,
      current: workspaceId ? one.id === workspaceId : one.current === true,
    }));
    if (json) return printJson(workspaces);
    if (workspaces.length === 0) return print('You are not a member of any workspace.');
    print(
      table<Workspace>(
        workspaces,
        [
          { title: '', value: ({ current }) => (current ? '●' : ' '), paint: style.green },
          { title: 'NAME', value: ({ name }) => name, paint: style.cyan, minWidth: 12 },
          { title: 'ROLE', value: ({ role }) => role ?? '' },
          { title: 'PLAN', value: ({ plan }) => plan ?? '', omitPriority: 1 },
          { title: 'LINKS', value: ({ linkCount }) => number(linkCount), align: 'right', omitPriority: 2 },
          { title: 'MEMBERS', value: ({ memberCount }) => number(memberCount), align: 'right', omitPriority: 2 },
          { title: 'ID', value: ({ id }) => id, paint: style.dim },
        ],
        style,
        width,
      ),
    );
  },
});
