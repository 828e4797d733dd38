import { isDeepStrictEqual } from 'node:util';
import { parseFutureTime, fail, oneOf } from '@tautan/kit';
import { patchStyle, readStyle, type StyleConfig } from '../image/style.js';
import { checkMaxScans, reachedLimit, remainingUnder } from './limits.js';
import { checkTitle } from './new-qr-code.js';
import { qrStatuses, type QrCode, type QrRoute, type Settable } from './qr-code.js';
import { parseStyle } from './style-json.js';

/** The input of a change. Absent or undefined fields stay unchanged; fields named in `clear` are unset. */
export interface PatchInput {
  url?: string | undefined;
  title?: string | undefined;
  /** Tag names; replaces all tags. */
  tags?: string[] | undefined;
  expiresAt?: string | undefined;
  maxScans?: number | undefined;
  /** JSON with the changed fields of the style. */
  styleConfig?: string | undefined;
  /** Id of an uploaded logo (`lgo_…`). The API prescribes the name `logoRunRef`. */
  logoRunRef?: string | undefined;
  status?: string | undefined;
  clear: string[];
}

/** A change, validated as far as possible without the QR code. */
export interface Patch extends Partial<Omit<Settable, 'styleConfig'>> {
  /** Tag names. */
  tags?: string[];
  /** The changed fields, not yet validated; null resets the style to the defaults. */
  styleConfig?: unknown;
}

const cleared = {
  title: null,
  tags: [],
  expiresAt: null,
  maxScans: null,
  styleConfig: null,
  logoRunRef: null,
} as const;

/** Validates a change. Throws VALIDATION_ERROR naming the first invalid field. */
export function parsePatch(input: PatchInput, now: Date): Patch {
  const patch: Patch = {};
  if (input.url !== undefined) patch.url = input.url;
  if (input.title !== undefined) patch.title = checkTitle(input.title);
  if (input.tags !== undefined) patch.tags = input.tags;
  if (input.expiresAt !== undefined) patch.expiresAt = parseFutureTime('expiresAt', input.expiresAt, now);
  if (input.maxScans !== undefined) patch.maxScans = checkMaxScans(input.maxScans);
  if (input.styleConfig !== undefined) patch.styleConfig = parseStyle(input.styleConfig);
  if (input.logoRunRef !== undefined) patch.logoRunRef = input.logoRunRef;
  if (input.status !== undefined) patch.status = oneOf('status', qrStatuses, input.status)!;
  for (const field of input.clear) {
    if (!Object.hasOwn(cleared, field)) throw fail('VALIDATION_ERROR', `${field} cannot be unset.`, field);
    if (Object.hasOwn(patch, field)) throw fail('VALIDATION_ERROR', `${field} cannot be both set and unset.`, field);
  }
  for (const field of input.clear as (keyof typeof cleared)[]) Object.assign(patch, { [field]: cleared[field] });
  return patch;
}

/**
 * Returns the fields, except tags, that a change modifies. Removing a limit does not reactivate an expired QR code. The
 * status `active` does, but is rejected while a limit is reached. Throws VALIDATION_ERROR naming that limit, or another
 * invalid field.
 */
export function applyPatch(code: QrCode, route: QrRoute, patch: Patch, now: Date): Partial<Settable> {
  if (patch.url !== undefined && code.linkId !== null) {
    throw fail('VALIDATION_ERROR', 'url cannot be set because the QR code follows a link.', 'url');
  }
  const { tags: _, styleConfig: style, ...fields } = patch;
  const next = { ...code, ...fields };
  const restyled = style !== undefined || patch.logoRunRef !== undefined;
  const requested = restyled
    ? { ...fields, styleConfig: nextStyle(code.styleConfig, style, next.logoRunRef !== null) }
    : fields;
  if (patch.status === 'active') assertLinkActive(route);
  if (patch.status === 'active') assertNotReached(next, remainingUnder(next.maxScans, code, route), now);
  return changedFields(code, requested);
}

function nextStyle(current: StyleConfig, style: unknown, hasLogo: boolean): StyleConfig {
  return style === null ? readStyle({}, hasLogo) : patchStyle(current, style ?? {}, hasLogo);
}

function assertLinkActive({ followed }: QrRoute): void {
  if (!followed || followed.status === 'active') return;
  const state = followed.deleted ? 'was deleted' : `is ${followed.status}`;
  throw fail('VALIDATION_ERROR', `status cannot be active: the link of the QR code ${state}.`, 'status');
}

function assertNotReached(next: Pick<QrCode, 'expiresAt' | 'maxScans'>, remaining: number | null, now: Date): void {
  const limit = reachedLimit(next, remaining, now);
  if (limit === 'expiresAt') throw fail('VALIDATION_ERROR', 'expiresAt has passed. Change or clear it.', limit);
  if (limit === 'maxScans') throw fail('VALIDATION_ERROR', 'maxScans is used up. Raise or clear it.', limit);
}

function changedFields(code: QrCode, requested: Partial<Settable>): Partial<Settable> {
  const fields = Object.entries(requested).filter(
    ([field, value]) => !isDeepStrictEqual(code[field as keyof Settable], value),
  );
  return Object.fromEntries(fields);
}
