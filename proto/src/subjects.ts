/** JetStream streams, which store the messages published to their subjects. */
export const streams = {
  events: { name: 'EVENTS', subjects: ['events.>'], maxAgeMs: 7 * 86_400_000 },
  clicks: { name: 'CLICKS', subjects: ['clicks.*'], maxAgeMs: 3 * 86_400_000 },
} as const;

export const eventSubject = (type: string): string => `events.${type}`;
export const clickSubject = (partition: number): string => `clicks.${partition}`;

/** Core NATS subjects (not stored in a stream) of the messages that invalidate caches. Their payloads are JSON. */
export const invalidations = {
  /** `{keys: string[]}`: routing-table keys whose cache entries are stale. */
  redirect: 'cache.redirect',
  /** `{apiKeyIds?: string[], userIds?: string[]}`: API keys and users whose credentials must be verified again. */
  credential: 'cache.credential',
  /** `{workspaceId}`: the entitlements of a workspace changed. */
  entitlements: 'cache.entitlements',
  /** `{workspaceId, endpointId}`: a webhook endpoint was created, changed or removed. */
  webhookEndpoint: 'cache.webhook_endpoint',
} as const;

/**
 * `{endpointIds: string[], by: string}`: deliveries to these webhook endpoints are due. `by` is the id of the sending
 * replica, which ignores the message.
 */
export const deliveriesDue = 'webhooks.due';

/** Subjects for listing the processes of an installation. */
export const processSubjects = {
  /** `{id}`: asks every process for its description. */
  request: 'operator.processes.ask',
  /** `{id, process}`: the description of a process, in response to the request `id`. */
  response: 'operator.processes.answer',
} as const;
