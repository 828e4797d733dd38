import { auditSummary, type AuditEntryMessage } from '@tautan/proto';
import { z } from 'zod';
import { identifier, pageCursor, pageSize, term, time, timeBound } from './fields.js';
import { cursorPage, route, type Route } from './route.js';

const exampleChanges = { title: { before: 'Sale', after: 'Spring sale' } };

/** Before and after of each changed field. */
export const changes = z
  .record(
    z.string(),
    z.object({
      before: z.unknown().meta({ description: 'What it was.', examples: ['Sale'] }),
      after: z.unknown().meta({ description: 'What it became.', examples: ['Spring sale'] }),
    }),
  )
  .meta({
    id: 'Changes',
    description: 'Before and after of each field that changed, as the API shows them, where any did.',
    examples: [exampleChanges],
  });

const auditEntry = z
  .object({
    id: identifier('aud', 'Id of the entry.'),
    action: z.string().meta({
      description: 'What was done: an event type, or another action of the audit log.',
      examples: ['link.updated'],
    }),
    actor: z
      .object({
        type: z.enum(['user', 'api_key', 'system']).meta({ description: 'Kind of the doer.', examples: ['user'] }),
        id: identifier('usr', 'Id of the person or API key; null for the system.').nullable(),
        name: z.string().meta({ description: "The person's name, or the key's label, then.", examples: ['Mira'] }),
      })
      .meta({ description: 'Who did it.' }),
    target: z
      .object({
        type: z.string().meta({ description: 'Kind of the thing.', examples: ['link'] }),
        id: identifier('lnk', 'Its id.'),
        label: z.string().meta({ description: 'What it was called then.', examples: ['spring-sale'] }),
      })
      .meta({ description: 'To what.' }),
    summary: z
      .string()
      .meta({ description: 'The same as a sentence, for people.', examples: ['Mira changed the link spring-sale'] }),
    changes,
    ip: z
      .string()
      .nullable()
      .meta({ description: 'Address that it was asked from; null where nobody asked.', examples: ['203.0.113.7'] }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: 'What the client called itself.', examples: ['tautan-cli/1.0'] }),
    requestId: identifier('req', 'Id of the request that caused it; null where none did.').nullable(),
    createdAt: time('When it was done.'),
  })
  .meta({ id: 'AuditEntry', description: 'One change of state: who did what to what, when and from where.' });
type AuditEntry = z.infer<typeof auditEntry>;

const example: AuditEntry = {
  id: 'aud_01jd3x8q4v5w6y7z8a9b0c1d2e',
  action: 'link.updated',
  actor: { type: 'user', id: 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e', name: 'Mira' },
  target: { type: 'link', id: 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e', label: 'spring-sale' },
  summary: 'Mira changed the link spring-sale',
  changes: exampleChanges,
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  requestId: 'req_01jd3x8q4v5w6y7z8a9b0c1d2e',
  createdAt: '2030-01-31T12:00:00.000Z',
};

const auditEntryView = ({ id, action, createdAt, ...entry }: AuditEntryMessage): AuditEntry => ({
  id,
  action,
  actor: { type: entry.actorType as AuditEntry['actor']['type'], id: entry.actorId ?? null, name: entry.actorName },
  target: { type: entry.targetType, id: entry.targetId, label: entry.targetLabel },
  summary: auditSummary(action, entry.actorName, entry.targetLabel),
  changes: JSON.parse(entry.changes) as AuditEntry['changes'],
  ip: entry.ip ?? null,
  userAgent: entry.userAgent ?? null,
  requestId: entry.requestId ?? null,
  createdAt,
});

export const auditLogRoutes: Route[] = [
  route({
    id: 'listAuditLog',
    method: 'GET',
    path: '/api/v1/audit-log',
    section: 'Audit log',
    summary: 'List the audit log',
    description:
      'Every change of state in the workspace, once, newest first. Entries are never changed or removed; secrets are not in them.',
    request: {
      query: z.object({
        action: term(64)
          .optional()
          .meta({ description: 'A whole action, or a prefix up to its dot: `link.` or `link`.', examples: ['link.'] }),
        actor: term(64)
          .optional()
          .meta({
            description: 'Only entries of this user or API key, by id; `system` for those of the system.',
            examples: ['usr_01jd3x8q4v5w6y7z8a9b0c1d2e'],
          }),
        target: term(128)
          .optional()
          .meta({
            description: 'Only entries about the thing with this id.',
            examples: ['lnk_01jd3x8q4v5w6y7z8a9b0c1d2e'],
          }),
        from: timeBound('Only entries of this time or later.'),
        to: timeBound('Only entries of this time or earlier; a date includes its whole day.'),
        cursor: pageCursor,
        limit: pageSize(200, 50),
      }),
    },
    success: {
      status: 200,
      description: 'A page of entries.',
      data: z.array(auditEntry),
      example: [example],
      paged: 'cursor',
    },
    errors: [],
    handle: async ({ query }, { clients, rpc }) => {
      const { entries, nextCursor } = await clients.audit.call('ListAuditLog', query, rpc());
      return { data: entries.map(auditEntryView), page: cursorPage(query.limit, nextCursor) };
    },
  }),
];
