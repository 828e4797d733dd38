import { isDeepStrictEqual } from 'node:util';
import { checkExpiresAt, fail, oneOf } from '@tautan/kit';
import { patchStyle, readStyle, type StyleConfig } from '../image/style.js';
import { checkMaxScans, reachedLimit, remainingUnder } from './limits.js';
import { checkTitle } from './new-qr-code.js';
import { qrStatuses, type QrCode, type QrRoute, type Settable } from './qr-code.js';
import { parseStyle } from './style-json.js';

/** A change as a caller asks for it: fields that are absent or undefined stay, fields named in `clear` become unset. */
export interface PatchInput {
  url?: string | undefined;
  title?: string | undefined;
  /** Names; replaces all tags. */
  tags?: string[] | undefined;
  expiresAt?: string | undefined;
  maxScans?: number | undefined;
  /** JSON of the fields of the style that change. */
  styleConfig?: string | undefined;
  logoRunRef?: string | undefined;
  status?: string | undefined;
  clear: string[];
}

/** A change that keeps every rule which needs no look at the QR code. */
export interface Patch extends Partial<Omit<Settable, 'styleConfig'>> {
  /** Names. */
  tags?: string[];
  /** The fields that change, as they came; null: back to the defaults. */
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

/** Checks a change. Throws VALIDATION_ERROR naming the first offending field. */
export function parsePatch(input: PatchInput, now: Date): Patch {
  const patch: Patch = {};
  if (input.url !== undefined) patch.url = input.url;
  if (input.title !== undefined) patch.title = checkTitle(input.title);
  if (input.tags !== undefined) patch.tags = input.tags;
  if (input.expiresAt !== undefined) patch.expiresAt = checkExpiresAt(input.expiresAt, now);
  if (input.maxScans !== undefined) patch.maxScans = checkMaxScans(input.maxScans);
  if (input.styleConfig !== undefined) patch.styleConfig = parseStyle(input.styleConfig);
  if (input.logoRunRef !== undefined) patch.logoRunRef = input.logoRunRef;
  if (input.status !== undefined) patch.status = oneOf('status', qrStatuses, input.status)!;
  for (const field of input.clear) {
    if (!Object.hasOwn(cleared, field)) throw fail('VALIDATION_ERROR', `${field} cannot be unset.`, field);
    if (Object.hasOwn(patch, field)) throw fail('VALIDATION_ERROR', `${field} is both given and unset.`, field);
  }
  for (const field of input.clear as (keyof typeof cleared)[]) Object.assign(patch, { [field]: cleared[field] });
  return patch;
}

/**
 * The fields that a change makes other than they are. Lifting a limit does not bring an expired QR code back: `status`
 * does, and is refused while a limit is reached. Throws VALIDATION_ERROR naming that limit, or another offending field.
 */
export function applyPatch(code: QrCode, route: QrRoute, patch: Patch, now: Date): Partial<Settable> {
  if (patch.url !== undefined && code.linkId !== null) {
    throw fail('VALIDATION_ERROR', 'url cannot be set: the QR code follows its link.', 'url');
  }
  const { tags: _, styleConfig: style, ...fields } = patch;
  const next = { ...code, ...fields };
  const restyled = style !== undefined || patch.logoRunRef !== undefined;
  const wanted = restyled ? { ...fields, styleConfig: styleUnder(code.styleConfig, style, next.logoRunRef !== null) } : fields; // prettier-ignore
  if (patch.status === 'active') refuseInactiveLink(route);
  if (patch.status === 'active') refuseReached(next, remainingUnder(next.maxScans, code, route), now);
  return differing(code, wanted);
}

function styleUnder(current: StyleConfig, style: unknown, hasLogo: boolean): StyleConfig {
  return style === null ? readStyle({}, hasLogo) : patchStyle(current, style ?? {}, hasLogo);
}

function refuseInactiveLink({ followed }: QrRoute): void {
  if (!followed || followed.status === 'active') return;
  throw fail('VALIDATION_ERROR', `status cannot be active: the link of the QR code is ${followed.status}.`, 'status');
}

function refuseReached(next: Pick<QrCode, 'expiresAt' | 'maxScans'>, remaining: number | null, now: Date): void {
  const limit = reachedLimit(next, remaining, now);
  if (limit === 'expiresAt') throw fail('VALIDATION_ERROR', 'expiresAt has passed: move or clear it.', limit);
  if (limit === 'maxScans') throw fail('VALIDATION_ERROR', 'maxScans is used up: raise or clear it.', limit);
}

function differing(code: QrCode, wanted: Partial<Settable>): Partial<Settable> {
  const fields = Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(code[field as keyof Settable], value)); // prettier-ignore
  return Object.fromEntries(fields);
}
