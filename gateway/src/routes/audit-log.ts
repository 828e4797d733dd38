import {
  actorTypes,
  auditEntryExample,
  auditEntryRecord,
  auditSummary,
  LINK_ID,
  type AuditEntryMessage,
  type AuditEntryRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { pageCursor, pageSize, nonEmptyText, timeBound } from './fields.js';
import { cursorPage, route, type Route } from './route.js';
import { wireFields, wireValue } from './wire-fields.js';

const fields = wireFields(auditEntryRecord);

const auditEntryView = (entry: AuditEntryMessage): AuditEntryRecord => ({
  ...fields(entry),
  actor: {
    type: wireValue(actorTypes, 'actor.type', entry.actorType),
    id: entry.actorId ?? null,
    name: entry.actorName,
  },
  target: { type: entry.targetType, id: entry.targetId, label: entry.targetLabel },
  summary: auditSummary(entry.action, entry.actorName, entry.targetLabel),
  changes: JSON.parse(entry.changes) as AuditEntryRecord['changes'],
});

export const auditLogRoutes: Route[] = [
  route({
    id: 'listAuditLog',
    method: 'GET',
    path: '/api/v1/audit-log',
    section: 'Audit log',
    summary: 'List the audit log',
    description:
      'Returns every change in the workspace, newest first. Entries are never changed or deleted, and contain no secrets.',
    request: {
      query: z.object({
        action: nonEmptyText(64)
          .optional()
          .meta({
            description: 'An action such as `link.created`, or the part before its dot: `link.` or `link`.',
            examples: ['link.'],
          }),
        actor: nonEmptyText(64)
          .optional()
          .meta({
            description: 'Only entries of the user or API key with this id; `system` for those of the system.',
            examples: ['usr_01jd3x8q4v5w6y7z8a9b0c1d2e'],
          }),
        target: nonEmptyText(128)
          .optional()
          .meta({
            description: 'Only entries about the resource with this id.',
            examples: [LINK_ID],
          }),
        from: timeBound('Only entries at or after this time.'),
        to: timeBound('Only entries at or before this time. A date includes the whole day.'),
        cursor: pageCursor,
        limit: pageSize(200, 50),
      }),
    },
    success: {
      status: 200,
      description: 'A page of entries.',
      data: z.array(auditEntryRecord),
      example: [auditEntryExample],
      paged: 'cursor',
    },
    errors: [],
    handle: async ({ query }, { clients, rpc }) => {
      const { entries, nextCursor } = await clients.audit.call('ListAuditLog', query, rpc());
      return { data: entries.map(auditEntryView), page: cursorPage(query.limit, nextCursor) };
    },
  }),
];
