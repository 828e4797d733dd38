import { parseFutureTime, checkText, fail, isId, timeOfId, type Principal } from '@tautan/kit';
import { readStyle } from '../image/style.js';
import { checkMaxScans } from './limits.js';
import type { QrCode, Settable } from './qr-code.js';
import { parseStyle } from './style-json.js';

/** The input of a creation. Absent or undefined fields are unset. */
export interface QrCodeInput {
  url?: string | undefined;
  linkId?: string | undefined;
  title?: string | undefined;
  /** Tag names. */
  tags: string[];
  expiresAt?: string | undefined;
  maxScans?: number | undefined;
  /** JSON. */
  styleConfig?: string | undefined;
  /** Id of an uploaded logo (`lgo_…`). The API prescribes the name `logoRunRef`. */
  logoRunRef?: string | undefined;
}

/** The validated input of a creation. The link service validates URLs, links and tags later. */
export interface QrCodeDraft extends Omit<Settable, 'status'> {
  linkId: string | null;
  tags: string[];
}

/** Validates the input of a creation. Throws VALIDATION_ERROR naming the first invalid field. */
export function draftQrCode(input: QrCodeInput, now: Date): QrCodeDraft {
  const { url = null, linkId = null, logoRunRef = null, tags } = input;
  if (linkId !== null && !isId(linkId, 'lnk')) {
    throw fail('VALIDATION_ERROR', 'linkId must be the id of a link.', 'linkId');
  }
  if ((url === null) === (linkId === null)) {
    throw fail('VALIDATION_ERROR', 'Exactly one of url and linkId must be given.', 'url');
  }
  return {
    url,
    linkId,
    title: input.title === undefined ? null : checkTitle(input.title),
    tags,
    expiresAt: input.expiresAt === undefined ? null : parseFutureTime('expiresAt', input.expiresAt, now),
    maxScans: input.maxScans === undefined ? null : checkMaxScans(input.maxScans),
    styleConfig: readStyle(parseStyle(input.styleConfig ?? '{}'), logoRunRef !== null),
    logoRunRef,
  };
}

/** Validates a title: 1 to 200 characters, trimmed. Throws VALIDATION_ERROR naming `title`. */
export const checkTitle = (text: string): string => checkText('title', text, 200);

/**
 * Returns the record of a QR code that is being created. Its creation time is that of its id, so that sorting by either
 * gives the same order.
 */
export function newQrCode({ tags, ...draft }: QrCodeDraft, by: Principal, id: string, dueAt: Date): QrCode {
  const createdAt = timeOfId(id);
  return {
    ...draft,
    _id: id,
    workspaceId: by.workspaceId,
    followed: null,
    slug: null,
    tagIds: [],
    status: 'active',
    state: 'begun',
    version: 0,
    pending: { version: 1, event: 'qr_code.created', set: {}, tags, tagsBefore: [], by },
    dueAt,
    createdBy: { type: by.kind, id: by.id },
    createdAt,
    updatedAt: createdAt,
  };
}
