import { z } from 'zod';
import { actorRecord, changesRecord, targetRecord } from './actor.js';
import { exampleId, identifier, text, time } from './fields.js';
import { LINK_ID } from './link.js';

export const auditEntryRecord = z
  .object({
    id: identifier('aud', 'Id of the entry.'),
    action: text(
      'What was done: an event type, including those that webhook endpoints cannot subscribe to.',
      'link.updated',
    ),
    actor: actorRecord,
    target: targetRecord,
    summary: text('The change as a sentence.', 'Mira changed the link spring-sale'),
    changes: changesRecord,
    ip: text('IP address of the request; null if there was none.', '203.0.113.7').nullable(),
    userAgent: text('User agent of the request; null if there was none.', 'tautan-cli/1.0').nullable(),
    requestId: identifier('req', 'Id of the request that caused the change; null if there was none.').nullable(),
    createdAt: time('Time of the change.'),
  })
  .meta({ id: 'AuditEntry', description: 'One change: who changed what, when and from where.' });
export type AuditEntryRecord = z.infer<typeof auditEntryRecord>;

export const auditEntryExample: AuditEntryRecord = {
  id: exampleId('aud'),
  action: 'link.updated',
  actor: { type: 'user', id: exampleId('usr'), name: 'Mira' },
  target: { type: 'link', id: LINK_ID, label: 'spring-sale' },
  summary: 'Mira changed the link spring-sale',
  changes: { title: { before: 'Sale', after: 'Spring sale' } },
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  requestId: exampleId('req'),
  createdAt: '2030-01-31T12:00:00.000Z',
};
