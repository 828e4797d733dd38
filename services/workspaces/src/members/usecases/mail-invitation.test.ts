import { expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import type { TautanEvent } from '@tautan/proto';
import { mailInvitation, type MailDeps } from './mail-invitation.js';

const at = '2030-01-01T00:00:00.000Z';
const event = {
  ...{ id: 'evt_1', at, workspaceId: 'ws_1' },
  ...{ actor: { type: 'user', name: 'Sari' }, target: { id: 'mem_1' } },
} as TautanEvent<'member.invited'>;

/** Mails an invitation of this age. Returns the number of mails and the logged warnings. */
async function mail(ageMs: number, status: 'invited' | 'active', actor: object = event.actor) {
  const [sent, warnings]: unknown[][] = [[], []];
  const member = { _id: 'mem_1', workspaceId: 'ws_1', email: 'ayu@example.com', status };
  const deps = {
    mailer: { send: async (one: unknown) => void sent!.push(one) },
    members: { find: async () => member },
    workspaces: { find: async () => ({ name: 'Kopi' }) },
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

test('an invitation that was made at the identity provider is not mailed; one by an operator is', async () => {
  const sentBy = async (name: string) => (await mail(0, 'invited', { type: 'system', id: null, name })).sent;
  expect([await sentBy('system'), await sentBy('operator')]).toEqual([0, 1]);
});
