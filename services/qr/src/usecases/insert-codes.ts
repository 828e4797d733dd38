import { faultCode, planLimitExceeded } from '@tautan/kit';
import { isDuplicateKey } from '@tautan/kit/mongo';
import type { PlanName } from '@tautan/proto';
import type { QrCode } from '../domain/qr-code.js';
import type { Deps } from './deps.js';
import { claimLogos } from './find-logo.js';

type InsertDeps = Pick<Deps, 'store' | 'logos' | 'plans' | 'counters' | 'transact' | 'now'>;

/** The record of a new QR code, with the plan of its workspace. */
export interface NewCode {
  code: QrCode;
  plan: PlanName;
}

/** `existing`: a record with this id was there before, and nothing was counted. */
export type Inserted = 'inserted' | 'existing';

/**
 * Inserts new QR codes of one workspace and plan in one transaction with their reservation. Grants in order up to the plan's
 * limit; the others get PLAN_LIMIT_EXCEEDED naming `qrCodes`. Rejects with VALIDATION_ERROR naming `logoRunRef` when the logo of
 * one was deleted, and with a duplicate key when one of several exists.
 */
export async function insertCodes(deps: InsertDeps, items: NewCode[]): Promise<(Inserted | Error)[]> {
  try {
    return await insertTogether(deps, items);
  } catch (error) {
    if (items.length === 1 && isDuplicateKey(error)) return ['existing'];
    throw error;
  }
}

/** Whether an insertion of several may have failed because of one of them. */
export const isOfOneCode = (error: unknown): boolean =>
  isDuplicateKey(error) || faultCode(error) === 'VALIDATION_ERROR';

async function insertTogether(deps: InsertDeps, items: NewCode[]): Promise<(Inserted | Error)[]> {
  const { store, counters, plans, transact, now } = deps;
  const { plan, code } = items[0]!;
  const { workspaceId } = code;
  const max = plans[plan].limits.qrCodes;
  const { granted, used } = await transact(null, async ({ session }) => {
    const wanted = items.length;
    const reserved = await counters.reserve(session, { workspaceId, limit: 'qrCodes', wanted, max, at: now() });
    const codes = items.slice(0, reserved.granted).map((item) => item.code);
    if (codes.length === 0) return reserved;
    await claimLogos(deps, workspaceId, codes.map(({ logoRunRef }) => logoRunRef), session); // prettier-ignore
    await store.qrCodes.insert(codes, session);
    return reserved;
  });
  const refused = items.slice(granted).map((item) => item.code._id);
  // The repetition of a request that created its code is not refused.
  const existing = refused.length > 0 ? await store.qrCodes.existing(workspaceId, refused) : new Set();
  return items.map((item, i) => {
    if (i < granted) return 'inserted';
    return existing.has(item.code._id) ? 'existing' : planLimitExceeded('qrCodes', { plan, max: max!, used: used! });
  });
}
