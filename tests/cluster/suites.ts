/** Why a suite, or some tests of it, cannot run against a cluster. */
export const reasons = {
  ownStack: 'starts its own stacks with special settings, clocks or external services',
  processes: 'kills or starts local processes, or reads their files',
  loopback: 'needs webhooks at a loopback address, and the cluster never delivers to private addresses',
  provider:
    "needs the local identity provider's sign-up API, workspaces, or password grant without a client secret, which Keycloak lacks",
  name: 'follows redirects to the identity provider, whose name only the cluster resolves',
  client: 'tests a local client; other suites cover the API requests of this client',
  proxy: 'nginx rejects or rewrites the request itself',
} as const;

export type Reason = keyof typeof reasons;

/**
 * All end-to-end suites. The value is `runs` if the whole suite runs against a cluster, and the reason if it does not.
 * If only some of its tests are excluded, the value lists parts of their titles by reason.
 */
export const suites: Record<string, 'runs' | Reason | Partial<Record<Reason, string[]>>> = {
  'access-matrix.long': 'name',
  'access.long': 'loopback',
  'account-pages.long': 'provider',
  'audit-log.long': 'loopback',
  'authentication.long': 'provider',
  'bad-input': {
    proxy: ['/links/%zz returns', '/links/%00 returns', '/tags/%E0%A4%A returns', 'authorization: Bearer xxxx'],
  },
  'billing.long': 'ownStack',
  'bulk-import-export.long': 'runs',
  'checkout-page.long': 'ownStack',
  cli: 'runs',
  'cli.long': 'ownStack',
  conventions: { processes: ['the request id appears in the logs of gateway and link service'] },
  'database-commands.long': 'ownStack',
  'docs-site.long': 'runs',
  'domains.long': 'ownStack',
  'egress.long': 'ownStack',
  'events.long': 'ownStack',
  'guides.long': 'ownStack',
  'identity-provider.long': 'ownStack',
  'interrupted-requests.long': 'ownStack',
  'key-rotation.long': 'ownStack',
  links: 'runs',
  listen: 'loopback',
  'lists.long': 'runs',
  mcp: 'client',
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
  'web-app.long': 'provider',
  'web-budget.long': 'provider',
  'web-keyboard.long': 'provider',
  'web-links.long': 'provider',
  'web-qr-codes.long': 'provider',
  'web-resilience.long': 'provider',
  'web-statistics.long': 'provider',
  'web-workspace.long': 'provider',
  'webhooks.long': 'ownStack',
  'workspaces.long': 'provider',
};
