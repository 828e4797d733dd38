/** Names on the bus: streams (kept), and core subjects (told to whoever listens now). */
export const streams = {
  events: { name: 'EVENTS', subjects: ['events.>'], maxAgeMs: 7 * 86_400_000 },
  clicks: { name: 'CLICKS', subjects: ['clicks.*'], maxAgeMs: 3 * 86_400_000 },
} as const;

export const eventSubject = (type: string): string => `events.${type}`;
export const clickSubject = (partition: number): string => `clicks.${partition}`;

/** Core subjects that drop cached copies; the payload of each is JSON. */
export const invalidations = {
  /** `{keys: string[]}`: routing-table keys whose cached answer is no longer right. */
  redirect: 'cache.redirect',
  /** `{apiKeyIds?: string[], userIds?: string[]}`: keys, and everything that people show, to be verified anew. */
  credential: 'cache.credential',
  /** `{workspaceId}`: what a workspace may do has changed with its plan. */
  entitlements: 'cache.entitlements',
  /** `{workspaceId, endpointId}`: a webhook endpoint was created, changed or removed. */
  webhookEndpoint: 'cache.webhook_endpoint',
} as const;

/** `{endpointIds: string[]}`: deliveries to these webhook endpoints are due. */
export const deliveriesDue = 'webhooks.due';

/** How the processes of an installation are listed. */
export const processSubjects = {
  /** `{id}`: every process is asked to describe itself. */
  ask: 'operator.processes.ask',
  /** `{id, process}`: one answer. */
  answer: 'operator.processes.answer',
} as const;
