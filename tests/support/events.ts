/** A webhook endpoint as returned by the API. */
export interface ApiEndpoint {
  id: string;
  url: string;
  events: string[];
  active: boolean;
  disabledReason: string | null;
  createdAt: string;
  updatedAt: string;
}

/** An endpoint as returned on creation or rotation of its secret. */
export type EndpointWithSecret = ApiEndpoint & { secret: string };

export interface ApiAttempt {
  n: number;
  at: string;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseSnippet: string | null;
}

/** A delivery as returned by the API. Lists omit `body` and `attemptLog`. */
export interface ApiDelivery {
  id: string;
  subscriptionId: string;
  eventId: string;
  type: string;
  status: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  nextRetryAt: string | null;
  createdAt: string;
  completedAt: string | null;
  body: string;
  attemptLog: ApiAttempt[];
}

/** An entry of the audit log as returned by the API. */
export interface ApiAuditEntry {
  id: string;
  action: string;
  actor: { type: string; id: string | null; name: string };
  target: { type: string; id: string; label: string };
  summary: string;
  changes: Record<string, { before: unknown; after: unknown }>;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  createdAt: string;
}
