import { createHash } from 'node:crypto';
import { fail, foreignCursor, isId, parseTime, readCursor, writeCursor } from '@tautan/kit';
import { eventCatalogue, type Changes, type EventType, type TautanEvent } from '@tautan/proto';

/** One entry of a workspace's audit log, chained to the one before. */
export interface AuditEntry {
  /** aud_…, with the ULID of the event that it tells. */
  _id: string;
  workspaceId: string;
  /** 1 for the first of a workspace, without gaps. */
  seq: number;
  action: string;
  actor: { type: 'user' | 'api_key' | 'system'; id: string | null; name: string };
  target: { type: string; id: string; label: string };
  changes: Changes;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  createdAt: Date;
  /** SHA-256 over the hash of the entry before (32 zero bytes for the first) and everything above. */
  hash: Buffer;
}

/** The end of a workspace's chain. */
export interface AuditHead {
  /** The workspace. */
  _id: string;
  seq: number;
  hash: Buffer;
}

export const FIRST_HASH = Buffer.alloc(32);

/** Whether an event stands in the audit log; the others tell of traffic or trials. */
export const isAudited = (type: EventType): boolean => 'audit' in eventCatalogue[type];

/** All actions with a prefix. */
export const actionsWith = (prefix: string): EventType[] =>
  (Object.keys(eventCatalogue) as EventType[]).filter((type) => isAudited(type) && type.startsWith(prefix));

/** The entry that an event becomes behind a chain's end. */
export function entryOf(event: TautanEvent, head: AuditHead): AuditEntry {
  const { type, actor, target, changes, ip, userAgent, requestId } = event;
  const entry = {
    _id: `aud_${event.id.slice('evt_'.length)}`,
    workspaceId: event.workspaceId,
    seq: head.seq + 1,
    action: type,
    actor,
    target,
    changes: changes as Changes,
    ip,
    userAgent,
    requestId,
    createdAt: new Date(event.at),
  };
  return { ...entry, hash: hashOf(entry, head.hash) };
}

/** The hash that an entry must have behind one of `previous`. */
export function hashOf(entry: Omit<AuditEntry, 'hash'>, previous: Buffer): Buffer {
  const { _id, workspaceId, seq, action, actor, target, changes, ip, userAgent, requestId, createdAt } = entry;
  const told = [
    ...[_id, workspaceId, seq, action, actor.type, actor.id, actor.name, target.type, target.id, target.label],
    ...[canonical(changes), ip, userAgent, requestId, createdAt.toISOString()],
  ];
  return createHash('sha256').update(previous).update(JSON.stringify(told)).digest();
}

/** A value with the fields of every object in order, so that a store that reorders them changes no hash. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value ?? null;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, each]) => [name, canonical(each)]);
}

/** Which entries of a workspace are asked for; what is undefined does not matter. */
export interface AuditFilter {
  workspaceId: string;
  /** A whole action, or a prefix that ends with a dot. */
  action: string | undefined;
  /** Id of the user or API key; null: the system. */
  actor: string | null | undefined;
  target: string | undefined;
  /** Both included. */
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
const dateForm = /^\d{4}-\d\d-\d\d$/;
const SYSTEM = 'system';

/** Reads the filter of a listing. Throws VALIDATION_ERROR naming the parameter. */
export function auditFilter(workspaceId: string, { action, actor, target, ...range }: AuditFilterInput): AuditFilter {
  const from = range.from === undefined ? undefined : readBound('from', range.from, 'T00:00:00.000Z');
  const to = range.to === undefined ? undefined : readBound('to', range.to, 'T23:59:59.999Z');
  if (from && to && from > to) throw fail('VALIDATION_ERROR', 'from must not be after to.', 'from');
  return { workspaceId, action: actionFilter(action), actor: actor === SYSTEM ? null : actor, target, from, to };
}

/** A whole action (`link.created`), or a prefix up to a dot (`link.` or `link`). */
function actionFilter(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (actionForm.test(text)) return text.includes('.') ? text : `${text}.`;
  throw fail('VALIDATION_ERROR', 'action must be an action such as link.created, or a prefix such as link.', 'action');
}

const readBound = (field: string, text: string, timeOfDay: string): Date =>
  parseTime(field, dateForm.test(text) ? text + timeOfDay : text);

/** A cursor behind an entry, bound to workspace and filter. */
export const auditCursor = (filter: AuditFilter, id: string): string =>
  writeCursor(['audit', JSON.stringify(filter)], Buffer.from(id));

/** The id of the entry that a page follows; undefined without a cursor. */
export function auditPlace(filter: AuditFilter, cursor: string): string | undefined {
  if (cursor === '') return undefined;
  const id = readCursor(['audit', JSON.stringify(filter)], cursor).toString();
  if (!isId(id, 'aud')) throw foreignCursor();
  return id;
}
