import { createHash } from 'node:crypto';
import { fail, invalidCursor, isId, parseTimeBound, readCursor, writeCursor } from '@tautan/kit';
import { eventCatalog, type Changes, type EventType, type TautanEvent } from '@tautan/proto';

/** An entry of a workspace's audit log, chained to the previous one. */
export interface AuditEntry {
  /** `aud_` and the ULID of the event that the entry records. */
  _id: string;
  workspaceId: string;
  /** Starts at 1 in each workspace, without gaps. */
  seq: number;
  action: string;
  actor: { type: 'user' | 'api_key' | 'system'; id: string | null; name: string };
  target: { type: string; id: string; label: string };
  changes: Changes;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  createdAt: Date;
  /** SHA-256 of the previous entry's hash (32 zero bytes for the first) and all fields above. */
  hash: Buffer;
}

/** The last entry of a workspace's chain. */
export interface AuditHead {
  /** Workspace id. */
  _id: string;
  seq: number;
  hash: Buffer;
}

/** Stands for the previous hash in the first entry of a chain. */
export const FIRST_HASH = Buffer.alloc(32);

/** Returns whether an event type is recorded in the audit log. Clicks and test events are not. */
export const isAudited = (type: EventType): boolean => 'audit' in eventCatalog[type];

/** Returns all audited actions that start with a prefix. */
export const actionsWith = (prefix: string): EventType[] =>
  (Object.keys(eventCatalog) as EventType[]).filter((type) => isAudited(type) && type.startsWith(prefix));

/** Returns the entry that records an event and follows the head of a chain. */
export function entryOf(event: TautanEvent, head: AuditHead): AuditEntry {
  const { type, actor, target, changes, ip, userAgent, requestId } = event;
  const entry = {
    _id: `aud_${event.id.slice('evt_'.length)}`,
    workspaceId: event.workspaceId,
    seq: head.seq + 1,
    action: type,
    actor,
    target,
    changes,
    ip,
    userAgent,
    requestId,
    createdAt: new Date(event.at),
  };
  return { ...entry, hash: hashOf(entry, head.hash) };
}

/** Returns the hash of an entry that follows one with the hash `previous`. */
export function hashOf(entry: Omit<AuditEntry, 'hash'>, previous: Buffer): Buffer {
  const { _id, workspaceId, seq, action, actor, target, changes, ip, userAgent, requestId, createdAt } = entry;
  const hashed = [
    ...[_id, workspaceId, seq, action, actor.type, actor.id, actor.name, target.type, target.id, target.label],
    ...[canonical(changes), ip, userAgent, requestId, createdAt.toISOString()],
  ];
  return createHash('sha256').update(previous).update(JSON.stringify(hashed)).digest();
}

/**
 * Returns a value with each object replaced by its [name, value] pairs, sorted by name, so that hashes do not depend on
 * the stored order.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value ?? null;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, each]) => [name, canonical(each)]);
}

/** Selects entries of an audit log; an undefined field matches every entry. */
export interface AuditFilter {
  workspaceId: string;
  /** An action, or a prefix that ends with a dot. */
  action: string | undefined;
  /** User id or API key id; null for the system. */
  actor: string | null | undefined;
  target: string | undefined;
  /** Inclusive, like `to`. */
  from: Date | undefined;
  to: Date | undefined;
}

export interface AuditFilterInput {
  action?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const actionForm = /^[a-z_]+(?:\.[a-z_]*)?$/;
const SYSTEM = 'system';

/** Parses the filters of a list. Throws VALIDATION_ERROR naming the parameter. */
export function auditFilter(workspaceId: string, { action, actor, target, ...range }: AuditFilterInput): AuditFilter {
  const from = range.from === undefined ? undefined : parseTimeBound('from', range.from, 'start');
  const to = range.to === undefined ? undefined : parseTimeBound('to', range.to, 'end');
  if (from && to && from > to) throw fail('VALIDATION_ERROR', 'from must not be after to.', 'from');
  return { workspaceId, action: actionFilter(action), actor: actor === SYSTEM ? null : actor, target, from, to };
}

/** Parses an action (`link.created`), or a prefix (`link.` or `link`). */
function actionFilter(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (actionForm.test(text)) return text.includes('.') ? text : `${text}.`;
  throw fail('VALIDATION_ERROR', 'action must be an action such as link.created, or a prefix such as link.', 'action');
}

/** Returns a cursor for the page after an entry. It is valid only with the same workspace and filter. */
export const auditCursor = (filter: AuditFilter, id: string): string =>
  writeCursor(['audit', JSON.stringify(filter)], Buffer.from(id));

/** Returns the id of the entry that a page follows; undefined without a cursor. */
export function auditCursorId(filter: AuditFilter, cursor: string): string | undefined {
  if (cursor === '') return undefined;
  const id = readCursor(['audit', JSON.stringify(filter)], cursor).toString();
  if (!isId(id, 'aud')) throw invalidCursor();
  return id;
}
