/** Why a suite, or some tests of it, cannot run against a cluster. */
export const reasons = {
  ownStack: 'starts stacks with settings, clocks or neighbours of its own',
  processes: 'kills or adds processes of this machine, or reads their files',
  loopback: 'needs webhooks at an address of this machine, and they are never delivered to private addresses',
  provider:
    'needs sign-up, public clients or workspaces of the local identity provider, which Keycloak and its stand-in lack',
  name: 'follows redirects to the identity provider, whose name only the cluster resolves',
  proxy: 'nginx answers or rewrites the request itself',
} as const;

export type Reason = keyof typeof reasons;

/**
 * Every end-to-end suite: whether it runs against a cluster, the tests of it that do not (parts of their names), or why none does.
 */
export const suites: Record<string, 'runs' | Reason | Partial<Record<Reason, string[]>>> = {
  'access-matrix.long': 'name',
  'access.long': 'loopback',
  'account-pages.long': 'provider',
  'audit-log.long': 'loopback',
  'authentication.long': 'provider',
  'bad-input': { proxy: ['/links/%zz is', '/links/%00 is', '/tags/%E0%A4%A is', 'authorization: Bearer xxxx'] },
  'billing.long': 'ownStack',
  'bulk-import-export.long': 'runs',
  'checkout-page.long': 'ownStack',
  cli: 'runs',
  'cli.long': 'ownStack',
  conventions: { processes: ['a request id reaches the logs of gateway and link service'] },
  'domains.long': 'ownStack',
  'egress.long': 'ownStack',
  'events.long': 'ownStack',
  'identity-provider.long': 'ownStack',
  'interrupted-requests.long': 'ownStack',
  'key-rotation.long': 'ownStack',
  links: 'runs',
  listen: 'loopback',
  'lists.long': 'runs',
  'openapi.long': 'ownStack',
  'operators.long': 'ownStack',
  'payment-provider.long': 'ownStack',
  'plan-limits.long': 'ownStack',
  'qr-codes': 'loopback',
  'qr-images.long': 'runs',
  quickstart: 'ownStack',
  'rate-limits.long': 'ownStack',
  redirects: { proxy: ['an absolute-form target and another host'] },
  'replicas.long': 'processes',
  'restore.long': 'ownStack',
  sdk: 'runs',
  'sdk-browser.long': 'ownStack',
  stats: 'runs',
  'stored-secrets.long': 'ownStack',
  tags: 'runs',
  'traces.long': 'ownStack',
  'webhooks.long': 'ownStack',
  'workspaces.long': 'provider',
};
