import { faultCode } from '@tautan/kit';
import { planLimitExceeded } from '@tautan/plans';
import { isDuplicateKey } from '@tautan/kit/mongo';
import type { PlanName } from '@tautan/proto';
import type { QrCode } from '../domain/qr-code.js';
import type { Deps } from '../usecase-deps.js';
import { claimLogos } from './check-logo.js';

type InsertDeps = Pick<Deps, 'store' | 'logos' | 'plans' | 'counters' | 'transact' | 'now'>;

/** The record of a new QR code and the plan of its workspace. */
export interface NewCode {
  code: QrCode;
  plan: PlanName;
}

/** `existing`: a record with this id already existed, and nothing was counted. */
export type Inserted = 'inserted' | 'existing';

/**
 * Inserts new QR codes of one workspace and plan, and adds them to the workspace's usage, in one transaction. Inserts
 * the first codes, up to the plan's limit. The result of each of the others is `existing` if its record already exists,
 * otherwise PLAN_LIMIT_EXCEEDED naming `qrCodes`. Rejects with VALIDATION_ERROR naming `logoRunRef` if a logo was deleted, and
 * with a duplicate key error if one of several codes within the limit already exists.
 */
export async function insertCodes(deps: InsertDeps, items: NewCode[]): Promise<(Inserted | Error)[]> {
  try {
    return await insertTogether(deps, items);
  } catch (error) {
    if (items.length === 1 && isDuplicateKey(error)) return ['existing'];
    throw error;
  }
}

/** Returns whether a single item may have caused the failure of a batch. */
export const isItemError = (error: unknown): boolean =>
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
    await claimLogos(
      deps,
      workspaceId,
      codes.map(({ logoRunRef }) => logoRunRef),
      session,
    );
    await store.qrCodes.insert(codes, session);
    return reserved;
  });
  const refused = items.slice(granted).map((item) => item.code._id);
  // Do not reject the repetition of a successful request.
  const existing = refused.length > 0 ? await store.qrCodes.existing(workspaceId, refused) : new Set();
  return items.map((item, i) => {
    if (i < granted) return 'inserted';
    return existing.has(item.code._id) ? 'existing' : planLimitExceeded('qrCodes', { plan, max: max!, used: used! });
  });
}
