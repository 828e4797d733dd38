import { expect, test } from '@jest/globals';
import type { ProviderCheckout } from '../domain/provider-objects.js';
import type { Subscription } from '../domain/subscription.js';
import type { Deps } from '../usecase-deps.js';
import { getCheckout } from './get-checkout.js';

type Provided = Partial<NonNullable<ProviderCheckout['subscription']>>;

/** Returns the state of a checkout. `found` is the provider's response, and `stored` the workspace's subscription. */
function stateOf(
  found: { status: string; subscription: Provided | null } | null,
  stored: Partial<Subscription> | null,
) {
  const store = {
    checkouts: { workspaceOf: async () => 'ws_1' },
    subscriptions: { ofWorkspace: async () => stored },
  };
  const deps = { store, provider: { checkout: async () => found } };
  return getCheckout(deps as unknown as Deps, { sessionId: 'cs_1' });
}

const bought: Provided = { id: 'stripe_2', status: 'active', plan: 'BUSINESS' };
const paid = (subscription: Provided | null = bought) => ({ status: 'paid', subscription });

test.each<[string, Partial<Subscription> | null, { plan: string; applied: boolean }]>([
  [
    'the purchased one',
    { providerId: 'stripe_2', status: 'active', plan: 'BUSINESS' },
    { plan: 'BUSINESS', applied: true },
  ],
  [
    'the purchased one, on another plan',
    { providerId: 'stripe_2', status: 'past_due', plan: 'PRO' },
    { plan: 'PRO', applied: true },
  ],
  [
    'the one before an upgrade',
    { providerId: 'stripe_1', status: 'active', plan: 'PRO' },
    { plan: 'BUSINESS', applied: false },
  ],
  [
    'the purchased one, but ended',
    { providerId: 'stripe_2', status: 'canceled', plan: 'FREE' },
    { plan: 'BUSINESS', applied: false },
  ],
  ['missing', null, { plan: 'BUSINESS', applied: false }],
])(
  'a paid checkout counts as applied only if the stored subscription is the purchased one and live; here it is %s',
  async (_what, stored, expected) => {
    expect(await stateOf(paid(), stored)).toEqual({ status: 'paid', ...expected });
  },
);

test.each([
  ['that is paid but has no subscription', paid(null)],
  ['that is paid but whose subscription has ended', paid({ ...bought, status: 'canceled' })],
  ['that the provider does not know', null],
])('a checkout %s is unknown', async (_what, found) => {
  expect(await stateOf(found, null)).toEqual({ status: 'unknown', applied: false });
});

test('a paid checkout whose price belongs to no plan names no plan before it is applied', async () => {
  expect(await stateOf(paid({ ...bought, plan: null }), null)).toEqual({ status: 'paid', applied: false });
});

test.each(['open', 'processing', 'failed', 'expired'])('a checkout that is %s is not applied', async (status) => {
  const stored = { providerId: 'stripe_1', status: 'active', plan: 'PRO' } as const;
  expect(await stateOf({ status, subscription: null }, stored)).toEqual({ status, applied: false });
});
