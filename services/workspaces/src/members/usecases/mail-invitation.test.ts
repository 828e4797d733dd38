import { expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { defaultPlans, type PlanName, type TautanEvent } from '@tautan/proto';
import { mailInvitation, type MailDeps } from './mail-invitation.js';

const at = '2030-01-01T00:00:00.000Z';
const event = {
  ...{ id: 'evt_1', at, workspaceId: 'ws_1' },
  ...{ actor: { type: 'user', name: 'Sari' }, target: { id: 'mem_1' } },
} as TautanEvent<'member.invited'>;

/**
 * Mails an invitation of this age. `found` replaces what the database contains. Returns the number of emails and the
 * logged warnings.
 */
async function mail(
  ageMs: number,
  status: 'invited' | 'active',
  actor: object = event.actor,
  found: { member?: object | null; workspace?: null } = {},
) {
  const [sent, warnings]: unknown[][] = [[], []];
  const invited = { _id: 'mem_1', workspaceId: 'ws_1', email: 'ayu@example.com', status };
  const { member, workspace } = { member: invited, workspace: { name: 'Kopi', plan: 'FREE' }, ...found };
  const deps = {
    mailer: { send: async (one: unknown) => void sent!.push(one) },
    members: { find: async () => member },
    workspaces: { find: async () => workspace },
    ...{ invitationMails: { count: async () => 0, record: async () => {} }, plans: defaultPlans },
    ...{ brand: 'Tautan', appUrl: 'https://go.example.com/app', now: () => new Date(Date.parse(at) + ageMs) },
    log: { ...createLog('test', 'silent'), warn: (fields: unknown) => void warnings!.push(fields) },
  };
  await mailInvitation(deps as unknown as MailDeps, { ...event, actor } as typeof event);
  return { sent: sent!.length, warnings };
}

test('an invitation that could not be mailed for a day is dropped with a warning', async () => {
  expect(await mail(86_400_000, 'invited')).toEqual({ sent: 1, warnings: [] });
  expect(await mail(86_400_001, 'invited')).toEqual({ sent: 0, warnings: [{ memberId: 'mem_1' }] });
});

test('an accepted invitation is not mailed and causes no warning', async () => {
  for (const ageMs of [0, 86_400_001]) expect(await mail(ageMs, 'active')).toEqual({ sent: 0, warnings: [] });
});

test.each([
  ['was withdrawn', { member: null }],
  ['belongs to another workspace', { member: { _id: 'mem_1', workspaceId: 'ws_2', status: 'invited' } }],
  ['is to a deleted workspace', { workspace: null }],
])('an invitation that %s is not mailed and causes no warning', async (_what, found) => {
  for (const ageMs of [0, 86_400_001])
    expect(await mail(ageMs, 'invited', event.actor, found)).toEqual({ sent: 0, warnings: [] });
});

test('an invitation created at the identity provider is not mailed, but an invitation by an operator is', async () => {
  const sentBy = async (name: string) => (await mail(0, 'invited', { type: 'system', id: null, name })).sent;
  expect([await sentBy('system'), await sentBy('operator')]).toEqual([0, 1]);
});

interface Sent {
  to: string;
  subject: string;
  text: string;
}

/**
 * Simulates a workspace. `invite` mails an invitation, `afterMs` after the previous one. `sent` and `warnings` collect
 * the emails and the logged warnings of all invitations.
 */
function aWorkspace(
  plan: PlanName,
  [inviterName, workspaceName]: string[] = ['Sari', 'Kopi'],
  inviterType: 'user' | 'system' = 'user',
) {
  const sent: Sent[] = [];
  const recorded: { email: string; at: Date }[] = [];
  const warnings: unknown[] = [];
  let now = new Date(at);
  const invitationMails = {
    record: async (mail: { email: string; at: Date }) => void recorded.push(mail),
    count: async ({ email, after }: { email?: string; after: Date }, upTo: number) =>
      Math.min(recorded.filter((mail) => mail.at > after && (email ?? mail.email) === mail.email).length, upTo),
  };
  const invite = async (email: string, afterMs = 0) => {
    now = new Date(now.getTime() + afterMs);
    const deps = {
      mailer: { send: async (mail: Sent) => void sent.push(mail) },
      members: { find: async () => ({ _id: 'mem_1', workspaceId: 'ws_1', email, status: 'invited' }) },
      workspaces: { find: async () => ({ _id: 'ws_1', name: workspaceName, plan }) },
      ...{ invitationMails, plans: defaultPlans, brand: 'Tautan', appUrl: 'https://go.example.com/app' },
      log: { ...createLog('test', 'silent'), warn: (fields: unknown) => void warnings.push(fields) },
      now: () => now,
    };
    const actor = { ...event.actor, type: inviterType, name: inviterName };
    await mailInvitation(deps as unknown as MailDeps, { ...event, at: now.toISOString(), actor } as typeof event);
  };
  return { invite, sent, warnings };
}

test('a workspace mails at most three invitations to an address within a day', async () => {
  const { invite, sent, warnings } = aWorkspace('UNLIMITED');
  for (let i = 0; i < 5; i += 1) await invite('ayu@example.com');
  await invite('mira@example.com');
  expect(sent.map(({ to }) => to)).toEqual([...Array<string>(3).fill('ayu@example.com'), 'mira@example.com']);
  expect(warnings).toEqual(Array(2).fill({ memberId: 'mem_1', workspaceId: 'ws_1' }));
  await invite('ayu@example.com', 86_400_000);
  expect(sent).toHaveLength(5);
});

test('within a day, a workspace mails at most ten invitations per member that its plan allows', async () => {
  const [free, unlimited] = [aWorkspace('FREE'), aWorkspace('UNLIMITED')];
  for (const { invite } of [free, unlimited]) for (let i = 0; i < 25; i += 1) await invite(`ayu${i}@example.com`);
  expect([free.sent.length, unlimited.sent.length]).toEqual([20, 25]);
});

test('an invitation contains no URL from the names of the user and the workspace', async () => {
  const names = ['Dr. Sari https://evil.example/login', 'Kopi & Co. www.evil\uff0eexample 1.2.3.4'];
  const { invite, sent } = aWorkspace('FREE', names);
  await invite('ayu@example.com');
  const [inviter, workspace] = ['Dr. Sari https evil·example/login', 'Kopi & Co. www·evil·example 1·2·3·4'];
  expect(sent).toMatchObject([
    {
      subject: `${inviter} invited you to ${workspace} on Tautan`,
      text: expect.stringContaining(`${inviter} invited you to the workspace ${workspace} on Tautan.`) as unknown,
    },
  ]);
  expect(sent[0]!.text.match(/\S+:\/\/\S+/g)).toEqual(['https://go.example.com/app']);
});

test('an invitation by an operator names no inviter', async () => {
  const { invite, sent } = aWorkspace('FREE', ['operator', 'Kopi'], 'system');
  await invite('ayu@example.com');
  const text = expect.stringMatching(/^You are invited to the workspace Kopi on Tautan\./) as unknown;
  expect(sent).toMatchObject([{ subject: 'You are invited to Kopi on Tautan', text }]);
});
