import { parseFutureTime, fail } from '@tautan/kit';
import { checkMaxClicks, reachedLimit, remainingUnder } from './expiry.js';
import { linkStatuses, type Link, type LinkStatus } from './link.js';
import { checkSlug } from './slug.js';
import { checkTagNames } from '../../tags/domain/tag-names.js';
import { checkDescription, checkTitle } from '../../domain/text.js';
import { checkUrl, type DestinationRules } from './url.js';

/** The parameters of an update: absent or undefined fields stay, fields named in `clear` are unset. */
export interface PatchInput {
  url?: string | undefined;
  slug?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** Names; replaces all tags. */
  tags?: string[] | undefined;
  expiresAt?: string | undefined;
  maxClicks?: number | undefined;
  status?: string | undefined;
  clear: string[];
}

/** An update, validated without reading the link. */
export interface Patch {
  url?: string;
  slug?: string;
  title?: string | null;
  description?: string | null;
  /** Names. */
  tags?: string[];
  expiresAt?: Date | null;
  maxClicks?: number | null;
  status?: LinkStatus;
}

const cleared = { title: null, description: null, tags: [], expiresAt: null, maxClicks: null } as const;

/** Validates an update. Throws VALIDATION_ERROR naming the first invalid field. */
export function parsePatch(input: PatchInput, rules: DestinationRules, now: Date): Patch {
  const patch: Patch = {};
  if (input.url !== undefined) patch.url = checkUrl(input.url, rules);
  if (input.slug !== undefined) patch.slug = checkSlug(input.slug);
  if (input.title !== undefined) patch.title = checkTitle(input.title);
  if (input.description !== undefined) patch.description = checkDescription(input.description);
  if (input.tags !== undefined) patch.tags = checkTagNames(input.tags);
  if (input.expiresAt !== undefined) patch.expiresAt = parseFutureTime('expiresAt', input.expiresAt, now);
  if (input.maxClicks !== undefined) patch.maxClicks = checkMaxClicks(input.maxClicks);
  if (input.status !== undefined) patch.status = checkStatus(input.status);
  for (const field of input.clear) {
    if (!Object.hasOwn(cleared, field)) throw fail('VALIDATION_ERROR', `${field} cannot be unset.`, field);
    if (Object.hasOwn(patch, field)) throw fail('VALIDATION_ERROR', `${field} is both given and unset.`, field);
  }
  for (const field of input.clear as (keyof typeof cleared)[]) Object.assign(patch, { [field]: cleared[field] });
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
 * Applies an update, except its tags. Lifting a limit does not reactivate an expired link. Setting `status` does, and
 * throws VALIDATION_ERROR naming the limit while one is reached.
 */
export function applyPatch({ link, remaining }: LinkState, { tags: _, ...patch }: Patch, now: Date): LinkState {
  const next: Link = { ...link, ...patch };
  next.slugKey = next.slug.toLowerCase();
  const nextRemaining = remainingUnder(next.maxClicks, link, remaining);
  if (patch.status === 'active') refuseReached(next, nextRemaining, now);
  return { link: next, remaining: nextRemaining };
}

function refuseReached({ expiresAt }: Link, remaining: number | null, now: Date): void {
  const limit = reachedLimit({ expiresAt, remaining }, now);
  if (limit === 'expiresAt') throw fail('VALIDATION_ERROR', 'expiresAt has passed: move or clear it.', limit);
  if (limit === 'maxClicks') throw fail('VALIDATION_ERROR', 'maxClicks is used up: raise or clear it.', limit);
}
