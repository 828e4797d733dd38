import { createHash } from 'node:crypto';
import { fail, isFault, isId, newId, type Fault, type Principal } from '@tautan/kit';
import { planLimitExceeded } from '@tautan/plans';
import { draftLink, domainNotVerified, type LinkDraft, type LinkInput } from '../../domain/new-link.js';
import { ulidOf } from '../../domain/packed-ids.js';
import { isFree, routeKey } from '../../../redirects/domain/route.js';
import { tagKey } from '../../../tags/domain/tag-names.js';
import { checkCreatedAt } from '../../../domain/times.js';
import type { ApiDeps } from '../../../usecase-deps.js';
import { selfDestination } from '../../../domains/steps/served-hosts.js';
import { tooManyTags } from '../../../tags/steps/use-tags.js';

type Deps = Pick<ApiDeps, 'store' | 'rules' | 'servedHosts' | 'ceilings' | 'now'>;

export interface RowError {
  code: string;
  message: string;
  field?: string;
}

/** A row of the request: a link, or an error that the caller already found in it. */
export interface ImportRowInput {
  link: LinkInput | null;
  createdAt?: string | undefined;
  status?: string | undefined;
  error: RowError | null;
}

/** A row being imported. It has a draft if the row itself is valid, and is done once `error` or `created` is set. */
export interface Row {
  index: number;
  /** Id of the link to create. */
  id: string;
  draft?: LinkDraft;
  createdAt: Date;
  error?: RowError;
  created?: { slug: string };
}

/**
 * Validates rows individually, against each other (the first of two with the same slug wins), and against stored data.
 */
export async function checkRows(
  deps: Deps,
  workspaceId: string,
  inputs: ImportRowInput[],
  operationId: string | undefined,
): Promise<Row[]> {
  const now = deps.now();
  const rows = inputs.map((input, index) => checkRow(deps, input, index, idOf(operationId, index), now));
  if (operationId !== undefined) await markCreated(deps, workspaceId, rows);
  await refuseServedHosts(deps, rows);
  await refuseUnverifiedDomains(deps, workspaceId, rows);
  refuseDuplicateSlugs(rows);
  await refuseTaken(deps, workspaceId, rows, now);
  await refuseTooManyTags(deps, workspaceId, rows);
  return rows;
}

/** Adds an error to the open rows that would exceed the plan's limit if they were created now. */
export async function refuseBeyondLimit(
  { plans, usage, now }: Pick<ApiDeps, 'plans' | 'usage' | 'now'>,
  { workspaceId, plan }: Principal,
  rows: Row[],
): Promise<void> {
  const max = plans[plan].limits.links;
  if (max === null) return;
  const { links: used = 0 } = await usage.read(workspaceId, now());
  const refusal = rowError(planLimitExceeded('links', { plan, max, used: Math.max(used, max) }));
  for (const row of openRows(rows).slice(Math.max(0, max - used))) row.error = refusal;
}

/** Returns the rows that are valid and not created yet. */
export const openRows = (rows: Row[]): (Row & { draft: LinkDraft })[] =>
  rows.filter((row): row is Row & { draft: LinkDraft } => !row.error && !row.created && row.draft !== undefined);

/** Converts a fault to the error of a row. */
export const rowError = ({ code, message, field }: Fault): RowError => ({ code, message, ...(field && { field }) });

function checkRow({ rules }: Deps, input: ImportRowInput, index: number, id: string, now: Date): Row {
  const row: Row = { index, id, createdAt: now };
  if (input.error) return { ...row, error: input.error };
  try {
    if (!input.link) throw fail('VALIDATION_ERROR', 'A row must be a link.');
    const draft = draftLink({ ...input.link, status: input.status }, rules, now);
    const createdAt = input.createdAt === undefined ? now : checkCreatedAt(input.createdAt, now);
    return { ...row, draft, createdAt };
  } catch (error) {
    if (isFault(error)) return { ...row, error: rowError(error) };
    throw error;
  }
}

/**
 * Returns the id of a row: the same one in every attempt of an operation, or a new one without an operation. The ids
 * sort in the order of the rows.
 */
function idOf(operationId: string | undefined, index: number): string {
  if (operationId === undefined) return newId('lnk');
  if (!isId(`lnk_${operationId}`))
    throw fail('VALIDATION_ERROR', 'operationId must be a ULID in lower case.', 'operationId');
  const hash = createHash('sha256').update(`${operationId}/${index}`).digest();
  hash.writeUInt32BE(index, 0);
  // The operation's 10 time characters, then 80 bits: the row number, and a hash that is unique to the operation.
  return `lnk_${operationId.slice(0, 10)}${ulidOf(Buffer.concat([Buffer.alloc(6), hash.subarray(0, 10)])).slice(10)}`;
}

async function markCreated({ store }: Deps, workspaceId: string, rows: Row[]): Promise<void> {
  const found = await store.links.byIds(
    workspaceId,
    rows.map(({ id }) => id),
  );
  const slugs = new Map(found.map(({ _id, slug }) => [_id, slug]));
  for (const row of rows) {
    const slug = slugs.get(row.id);
    if (slug !== undefined) Object.assign(row, { created: { slug }, error: undefined });
  }
}

const keyOf = ({ domain, slug }: LinkDraft): string | undefined =>
  slug === undefined ? undefined : routeKey(domain, slug);

async function refuseServedHosts({ servedHosts }: Deps, rows: Row[]): Promise<void> {
  const open = openRows(rows);
  const isServed = await servedHosts.among(open.map(({ draft }) => draft.url));
  for (const row of open) if (isServed(row.draft.url)) row.error = rowError(selfDestination());
}

async function refuseUnverifiedDomains({ store }: Deps, workspaceId: string, rows: Row[]): Promise<void> {
  const onDomains = openRows(rows).filter(({ draft }) => draft.domain !== null);
  const wanted = [...new Set(onDomains.map(({ draft }) => draft.domain!))];
  const own = await store.domains.verifiedNames(workspaceId, wanted);
  for (const row of onDomains) if (!own.has(row.draft.domain!)) row.error = rowError(domainNotVerified());
}

function refuseDuplicateSlugs(rows: Row[]): void {
  const keys = new Set<string>();
  for (const row of openRows(rows)) {
    const key = keyOf(row.draft);
    if (key === undefined) continue;
    if (keys.has(key)) row.error = { code: 'SLUG_TAKEN', message: 'An earlier row has this slug.', field: 'slug' };
    keys.add(key);
  }
}

async function refuseTaken({ store }: Deps, workspaceId: string, rows: Row[], now: Date): Promise<void> {
  const open = openRows(rows);
  const routes = await store.routes.byKeys(open.flatMap(({ draft }) => keyOf(draft) ?? []));
  const taken = new Set(routes.filter((route) => !isFree(route, workspaceId, now)).map(({ _id }) => _id));
  for (const row of open) {
    if (!taken.has(keyOf(row.draft) ?? '')) continue;
    row.error = { code: 'SLUG_TAKEN', message: 'The slug is in use on this domain.', field: 'slug' };
  }
}

async function refuseTooManyTags({ store, ceilings }: Deps, workspaceId: string, rows: Row[]): Promise<void> {
  const open = openRows(rows);
  const wanted = [...new Set(open.flatMap(({ draft }) => draft.tags.map(tagKey)))];
  if (wanted.length === 0) return;
  const known = new Set((await store.tags.byKeys(workspaceId, wanted)).map(({ nameKey }) => nameKey));
  let available = ceilings.tags - (await store.tags.count(workspaceId));
  for (const row of open) {
    const missing = row.draft.tags.map(tagKey).filter((key) => !known.has(key));
    if (missing.length > available && missing.length > 0) {
      row.error = rowError(tooManyTags(ceilings, 'tags'));
      continue;
    }
    available -= missing.length;
    for (const key of missing) known.add(key);
  }
}
