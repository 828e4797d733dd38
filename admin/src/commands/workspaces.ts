import { Argument, Option } from 'commander';
import { planNames, type OperatorWorkspaceMessage } from '@tautan/proto';
import {
  command,
  moreEntriesNote,
  pageOptions,
  readPages,
  type CommandGroup,
  type Context,
  type PageOptions,
} from '../command.js';
import { details, table } from '../output.js';

const hintWorkload = 'workspaces';
const ownerOf = ({ owner }: OperatorWorkspaceMessage): string =>
  owner ? `${owner.email}${owner.status === 'active' ? '' : ' (invited)'}` : '';

const workspaceDetails = (workspace: OperatorWorkspaceMessage): string =>
  details([
    ['id', workspace.id],
    ['name', workspace.name],
    ['plan', workspace.plan],
    ['owner', ownerOf(workspace)],
    ['external id', workspace.externalId],
  ]);

const create = command<OperatorWorkspaceMessage, { owner?: string; plan?: string; externalId?: string }>({
  name: 'create',
  summary: 'Create a workspace',
  args: [new Argument('<name>', 'name of the workspace')],
  options: [
    new Option('--owner <email>', 'owner, who joins at the first sign-in with this verified email address'),
    new Option('--plan <plan>', 'plan (default: the default plan of the installation)').choices(planNames),
    new Option('--external-id <id>', "id of the identity provider's workspace that this workspace mirrors"),
  ],
  examples: ['workspaces create "Kopi Kenangan" --owner ayu@example.com --plan BUSINESS'],
  rpc: 'CreateWorkspace',
  hintWorkload,
  run: ({ service }, { owner: ownerEmail, plan, externalId }, name: string) =>
    service.call('workspaces', 'CreateWorkspace', { name, ownerEmail, plan, externalId }),
  text: workspaceDetails,
  quiet: ({ id }) => id,
});

/** Reads all workspaces, or up to a limit. */
export const readWorkspaces = ({ service }: Context, options: PageOptions) =>
  readPages(options, async (page) => {
    const { workspaces: entries, hasMore } = await service.call('workspaces', 'ListWorkspaces', page);
    return { entries, hasMore };
  });

const list = command<{ workspaces: OperatorWorkspaceMessage[]; hasMore: boolean }, PageOptions>({
  name: 'list',
  summary: 'List workspaces, newest first',
  options: pageOptions(),
  rpc: 'ListWorkspaces',
  hintWorkload,
  run: async (context, options) => {
    const { entries: workspaces, hasMore } = await readWorkspaces(context, options);
    return { workspaces, hasMore };
  },
  text: ({ workspaces, hasMore }) => {
    if (workspaces.length === 0) return 'No workspaces.';
    const rows = workspaces.map((one) => [
      one.id,
      one.name,
      one.plan,
      String(one.memberCount),
      String(one.linkCount),
      one.createdAt.slice(0, 10),
      ownerOf(one),
    ]);
    const titles = ['ID', 'NAME', 'PLAN', 'MEMBERS', 'LINKS', 'CREATED', 'OWNER'];
    return `${table(titles, rows)}${moreEntriesNote(hasMore, workspaces.at(-1))}`;
  },
});

const setPlan = command<OperatorWorkspaceMessage>({
  name: 'set-plan',
  summary: 'Set or unset the plan of a workspace; the plan of a subscription takes precedence',
  args: [
    new Argument('<workspace>', 'id of the workspace'),
    new Argument('<plan>', 'plan, or none for the default plan').choices([...planNames, 'none']),
  ],
  examples: ['workspaces set-plan ws_01jd3x8q4v5w6y7z8a9b0c1d2e PRO'],
  rpc: 'SetPlan',
  hintWorkload,
  run: ({ service }, _options, workspaceId: string, plan: string) =>
    service.call('workspaces', 'SetPlan', { workspaceId, plan: plan === 'none' ? '' : plan }),
  text: (workspace) => {
    const { plan, givenPlan } = workspace;
    const other = givenPlan && givenPlan !== plan ? `\n\n${givenPlan} applies when the subscription ends.` : '';
    return `${workspaceDetails(workspace)}${other}`;
  },
});

export const workspaces: CommandGroup = {
  name: 'workspaces',
  summary: 'Create and list workspaces and set their plans',
  commands: [create, list, setPlan],
};
