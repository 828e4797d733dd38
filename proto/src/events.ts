import { z } from 'zod';

/** A link as the API shows it; what events about links carry. */
const link = z.object({
  id: z.string(),
  slug: z.string(),
  domain: z.string().nullable(),
  shortUrl: z.string(),
  url: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(['active', 'expired', 'archived']),
  expiresAt: z.string().nullable(),
  maxClicks: z.number().int().nullable(),
  clickCount: z.number().int(),
  lastClickAt: z.string().nullable(),
  qrCodeCount: z.number().int(),
  createdBy: z.object({ type: z.enum(['user', 'api_key']), id: z.string() }),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const tag = z.object({
  id: z.string(),
  name: z.string(),
  linkCount: z.number().int(),
  qrCodeCount: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const workspace = z.object({ id: z.string(), name: z.string(), plan: z.string(), createdAt: z.string() });
const member = z.object({
  id: z.string(),
  userId: z.string().nullable(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['owner', 'admin', 'member', 'viewer']),
  status: z.enum(['active', 'invited']),
  joinedAt: z.string().nullable(),
});
const session = z.object({ userId: z.string(), email: z.string() });
const apiKey = z.object({ id: z.string(), label: z.string(), prefix: z.string(), createdAt: z.string() });

/** Every event type: what it tells, what causes it, and the shape of its `data`. */
export const eventCatalogue = {
  'link.created': { description: 'A link was created.', trigger: 'POST /links, or a row of an import', data: link },
  'link.updated': { description: 'A link was changed.', trigger: 'PATCH /links/{id}, or a bulk action', data: link },
  'link.deleted': { description: 'A link was deleted.', trigger: 'DELETE /links/{id}, or a bulk action', data: link },
  'link.expired': {
    description: 'A link reached its expiry date or its click limit.',
    trigger: 'The passing of expiresAt, or the last of maxClicks',
    data: link,
  },
  'tag.created': { description: 'A tag was created.', trigger: 'POST /tags, or a link with a new tag', data: tag },
  'tag.updated': { description: 'A tag was renamed.', trigger: 'PATCH /tags/{id}', data: tag },
  'tag.deleted': { description: 'A tag was deleted.', trigger: 'DELETE /tags/{id}', data: tag },
  'workspace.created': { description: 'A workspace was created.', trigger: 'Its creation', data: workspace },
  'workspace.updated': {
    description: 'A workspace was renamed.',
    trigger: 'PATCH /workspaces/current',
    data: workspace,
  },
  'workspace.switched': {
    description: 'A person made a workspace their active one.',
    trigger: 'POST /workspaces/switch',
    data: workspace,
  },
  'member.invited': {
    description: 'A person was invited to a workspace.',
    trigger: 'POST /workspaces/current/members',
    data: member,
  },
  'member.joined': {
    description: 'A person became a member of a workspace.',
    trigger: 'The first use of a workspace that a person was invited to, or owns',
    data: member,
  },
  'member.role_changed': {
    description: 'The role of a member was changed.',
    trigger: 'PATCH /workspaces/current/members/{id}, or a change at the identity provider',
    data: member,
  },
  'member.removed': {
    description: 'A member was removed, or an invitation withdrawn.',
    trigger: 'DELETE /workspaces/current/members/{id}, or a removal at the identity provider',
    data: member,
  },
  'session.created': { description: 'A person signed in.', trigger: 'A sign-in by browser or password', data: session },
  'api_key.created': { description: 'An API key was made.', trigger: 'Its minting', data: apiKey },
  'api_key.revoked': { description: 'An API key was revoked.', trigger: 'Its revocation', data: apiKey },
} as const satisfies Record<string, { description: string; trigger: string; data: z.ZodType }>;

export type EventType = keyof typeof eventCatalogue;
export type EventData<T extends EventType> = z.infer<(typeof eventCatalogue)[T]['data']>;

/** Before and after of each changed field, as the API shows them. */
export type Changes = Record<string, { before: unknown; after: unknown }>;

const envelope = z.object({
  id: z.string().startsWith('evt_'),
  type: z.enum(Object.keys(eventCatalogue) as [EventType, ...EventType[]]),
  at: z.iso.datetime(),
  workspaceId: z.string(),
  actor: z.object({ type: z.enum(['user', 'api_key', 'system']), id: z.string().nullable(), name: z.string() }),
  requestId: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  target: z.object({ type: z.string(), id: z.string(), label: z.string() }),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
});

// Made once: zod compiles a schema at its first use.
const whole = envelope.extend({ data: z.unknown() });

/** What stands on the stream EVENTS, subject `events.<type>`: one state change, told once. */
export type TautanEvent<T extends EventType = EventType> = z.infer<typeof envelope> & { type: T; data: EventData<T> };

/** Checks an event against the catalogue. Throws a ZodError that names the offending field. */
export function parseEvent(value: unknown): TautanEvent {
  const { data, ...head } = whole.parse(value);
  return { ...head, data: eventCatalogue[head.type].data.parse(data) };
}
