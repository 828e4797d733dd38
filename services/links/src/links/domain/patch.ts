import { parseFutureTime, fail } from '@tautan/kit';
import type { LinkChangeFields } from '@tautan/proto';
import { checkMaxClicks, reachedLimit, remainingUnder } from './expiry.js';
import { linkStatuses, type Link, type LinkStatus } from './link.js';
import { checkDescription, checkTitle } from './new-link.js';
import { checkSlug } from './slug.js';
import { checkTagNames } from '../../tags/domain/tag-names.js';
import { checkUrl, type DestinationRules } from './url.js';

/** The parameters of an update. Absent or undefined fields are unchanged; fields named in `clear` are unset. */
export type PatchInput = { [F in Field]?: (F extends 'tags' ? string[] : LinkChangeFields[F]) | undefined } & {
  clear: string[];
};

/** An update, validated without reading the link. Its tags are names. */
export type Patch = { [F in Field]?: Link[F] };

type Field = keyof LinkChangeFields;
type Clearable = { [F in Field]-?: null extends Link[F] ? F : never }[Field] | 'tags';

const cleared: { [F in Clearable]: Link[F] } = {
  title: null,
  description: null,
  tags: [],
  expiresAt: null,
  maxClicks: null,
};

interface Rules {
  destinations: DestinationRules;
  now: Date;
}

/** Each check returns the value to store, or throws VALIDATION_ERROR naming its field. */
const checks: { [F in Field]-?: (value: NonNullable<PatchInput[F]>, rules: Rules) => Link[F] } = {
  url: (url, { destinations }) => checkUrl(url, destinations),
  slug: (slug) => checkSlug(slug),
  title: (title) => checkTitle(title),
  description: (description) => checkDescription(description),
  tags: (names) => checkTagNames(names),
  expiresAt: (time, { now }) => parseFutureTime('expiresAt', time, now),
  maxClicks: (limit) => checkMaxClicks(limit),
  status: (status) => checkStatus(status),
};

/** Validates an update. Throws VALIDATION_ERROR naming the first invalid field. */
export function parsePatch(input: PatchInput, destinations: DestinationRules, now: Date): Patch {
  const patch: Patch = {};
  for (const field of Object.keys(checks) as Field[]) {
    const check = checks[field] as (value: unknown, rules: Rules) => unknown;
    if (input[field] !== undefined) Object.assign(patch, { [field]: check(input[field], { destinations, now }) });
  }
  for (const field of input.clear) {
    if (!Object.hasOwn(cleared, field)) throw fail('VALIDATION_ERROR', `${field} cannot be unset.`, field);
    if (Object.hasOwn(patch, field)) throw fail('VALIDATION_ERROR', `${field} cannot be both set and unset.`, field);
  }
  for (const field of input.clear as Clearable[]) Object.assign(patch, { [field]: cleared[field] });
  return patch;
}

/** Returns the status. Throws VALIDATION_ERROR naming `status` if it is unknown. */
export function checkStatus(status: string): LinkStatus {
  if ((linkStatuses as readonly string[]).includes(status)) return status as LinkStatus;
  throw fail('VALIDATION_ERROR', `status must be one of ${linkStatuses.join(', ')}.`, 'status');
}

/** A link and the number of human clicks left under its limit (null without one). */
export interface LinkState {
  link: Link;
  remaining: number | null;
}

/**
 * Applies an update, except its tags. Raising or unsetting a limit does not reactivate an expired link; setting
 * `status` does. Throws VALIDATION_ERROR naming the limit if the update sets `status` to `active` although a limit is
 * reached.
 */
export function applyPatch({ link, remaining }: LinkState, { tags: _, ...patch }: Patch, now: Date): LinkState {
  const next: Link = { ...link, ...patch };
  next.slugKey = next.slug.toLowerCase();
  const nextRemaining = remainingUnder(next.maxClicks, link, remaining);
  if (patch.status === 'active') assertNoReachedLimit(next, nextRemaining, now);
  return { link: next, remaining: nextRemaining };
}

function assertNoReachedLimit({ expiresAt }: Link, remaining: number | null, now: Date): void {
  const limit = reachedLimit({ expiresAt, remaining }, now);
  if (limit === 'expiresAt') throw fail('VALIDATION_ERROR', 'expiresAt has passed. Change or clear it.', limit);
  if (limit === 'maxClicks') throw fail('VALIDATION_ERROR', 'maxClicks is used up. Raise or clear it.', limit);
}
