import { expect, test } from '@jest/globals';
import { fail, type ErrorCode } from '@tautan/kit';
import type { SignInDeps } from '../../session-deps.js';
import { passwordLogin } from './password-login.js';

const user = { _id: 'usr_1', name: 'Ayu', email: 'ayu@example.com', lastWorkspaceId: null };
const membership = { workspaceId: 'ws_1', role: 'owner' };

interface Situation {
  /** The code of the provider's error. */
  code?: ErrorCode;
  /** Email address of the attempt. */
  email?: string;
  memberships?: object[];
}

/** Attempts a sign-in that fails at the provider. Returns the error's code and the emitted events. */
async function attempt({ code = 'UNAUTHENTICATED', email = user.email, memberships = [membership] }: Situation = {}) {
  const events: unknown[] = [];
  const running: Promise<void>[] = [];
  const deps = {
    provider: { passwordLogin: async () => Promise.reject(fail(code, 'test')) },
    sealing: {},
    users: { findByEmail: async (address: string) => (address === user.email ? user : null) },
    members: { membershipsOf: async () => memberships },
    workspaces: { find: async () => ({ _id: 'ws_1', plan: 'PRO' }) },
    background: { run: (_name: string, work: () => Promise<void>) => void running.push(work()) },
    transact: (by: { workspaceId: string }, work: (tx: object) => unknown) =>
      work({ emit: (event: object) => void events.push({ workspaceId: by.workspaceId, ...event }) }),
    now: () => new Date(),
  };
  const input = { email, password: 'wrong', client: { ip: '192.0.2.7', userAgent: 'curl' }, requestId: 'req_1' };
  const refused = await passwordLogin(deps as unknown as SignInDeps, input).catch((error: { code: string }) => error);
  await Promise.all(running);
  return { code: (refused as { code: string }).code, events };
}

test("a wrong password emits session.failed in the user's workspace, regardless of the address's case", async () => {
  const target = { type: 'user', id: 'usr_1', label: user.email };
  const event = { type: 'session.failed', workspaceId: 'ws_1', target, data: { userId: 'usr_1', email: user.email } };
  for (const email of [user.email, 'AYU@Example.com'])
    expect(await attempt({ email })).toEqual({ code: 'UNAUTHENTICATED', events: [event] });
});

test.each<[string, Situation]>([
  ['with an unknown address', { email: 'mira@example.com' }],
  ['of a user without a workspace', { memberships: [] }],
  ['during an outage of the provider', { code: 'UPSTREAM_UNAVAILABLE' }],
  ["that exceeds the provider's rate limit", { code: 'TOO_MANY_REQUESTS' }],
])('a failed sign-in %s emits no event', async (_what, situation) => {
  expect(await attempt(situation)).toEqual({ code: situation.code ?? 'UNAUTHENTICATED', events: [] });
});
