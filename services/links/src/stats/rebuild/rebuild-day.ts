import { fail } from '@tautan/kit';
import type { Bus } from '@tautan/kit/bus';
import { inTransaction, isDuplicateKey, type Mongo } from '@tautan/kit/mongo';
import type { ClientSession } from 'mongoose';
import { DAY_MS } from '../domain/quarters.js';
import { utcDay } from '../../redirects/domain/visitor.js';
import type { Models } from '../../store/models.js';
import { AppliedBatchStore } from '../store/applied-batches.js';
import type { PlanStore } from '../store/plans.js';
import type { StatsStore } from '../store/stats.js';
import { collectAdditions, workspacesOf, type Addition, type PartitionBatch } from '../collect-additions.js';
import { DayPeriods } from './day-periods.js';
import { clickMessages, clickStreamState } from './click-messages.js';

export interface RebuildDeps {
  connection: Mongo['connection'];
  models: Models;
  stats: StatsStore;
  plans: PlanStore;
  bus: Bus;
}

/** Maximum number of batches whose markers are read in one query. */
const BATCHES_PER_QUERY = 500;
/** Maximum number of subjects (see `Subject`) whose days are written in one transaction. */
const SUBJECTS_PER_TRANSACTION = 100;
const TRANSACTION_TIMEOUT_MS = 30_000;
const MAX_CONFLICTS = 20;
/** Maximum clock skew between redirects and the broker, in milliseconds. */
const SKEW_MS = 3_600_000;
/** Margin for the time from a click to the creation of its batch, in milliseconds. */
const BATCHING_MARGIN_MS = 3_600_000;

/** The result of a scan of the stream. */
interface Scan {
  /** The day of each subject, computed from the batches that were applied at the time of the scan. */
  periods: DayPeriods;
  /** Ids of the batches with clicks on the day. */
  seen: Set<string>;
  /** Ids of batches that were applied before the scan and may have clicks on the day, but are not on the stream. */
  missing: Set<string>;
  /** Batches that were not applied at the time of the scan. Each write checks them again. */
  pending: PartitionBatch[];
  /** The next sequence number to read. */
  next: number;
}

/**
 * Recomputes the statistics of a UTC day for all subjects (links, QR codes and workspaces) from the applied batches on
 * the stream. Returns the number of subjects whose day was written and the number of subjects whose day was removed.
 * Clicks may be applied concurrently: each transaction counts the batches applied before it starts and conflicts with
 * those applied while it runs. If the rebuild is interrupted, the day of each subject is either unchanged or rebuilt
 * completely, and the next run rebuilds all of them. Throws VALIDATION_ERROR naming `day`, before any change, if the
 * stream lacks applied batches, for example because it was restored from a copy that is older than the database.
 */
export async function rebuildDay(
  deps: RebuildDeps,
  startOfDay: number,
  signal?: AbortSignal,
): Promise<{ written: number; removed: number }> {
  const day = utcDay(startOfDay);
  const scan = await scanStream(deps, startOfDay, signal);
  if (scan.missing.size > 0) {
    const message = `The stream lacks clicks of ${day}, or of the hour after it, that the statistics already include. Nothing was changed.`;
    throw fail('VALIDATION_ERROR', message, 'day');
  }
  const stored = await deps.stats.idsOfDay(day);
  const ids = new Set([...scan.periods.ids(), ...stored]);
  let written = 0;
  for (const part of chunksOf([...ids], SUBJECTS_PER_TRANSACTION)) {
    signal?.throwIfAborted();
    written += await writeWithRetries(deps, day, scan, part);
  }
  return { written, removed: ids.size - written };
}

async function scanStream(deps: RebuildDeps, startOfDay: number, signal: AbortSignal | undefined): Promise<Scan> {
  const day = utcDay(startOfDay);
  // Read before the scan, so that the scan finds each of these batches unless the stream lacks it.
  const missing = await appliedAround(deps, startOfDay, signal);
  const { last } = await clickStreamState(deps.bus);
  const scan: Scan = { periods: new DayPeriods(), seen: new Set(), missing, pending: [], next: last + 1 };
  let unchecked: PartitionBatch[] = [];
  const flush = async (): Promise<void> => {
    const { applied, others } = await splitByApplied(deps, unchecked);
    scan.periods.add(ofDay(collectAdditions(applied), day));
    scan.pending.push(...others);
    unchecked = [];
  };
  for await (const { batch, partition, sequence } of clickMessages(deps.bus, {
    time: new Date(startOfDay - SKEW_MS),
  })) {
    signal?.throwIfAborted();
    scan.next = Math.max(scan.next, sequence + 1);
    scan.missing.delete(batch.id);
    if (scan.seen.has(batch.id) || !hasClicksOnDay(batch, startOfDay)) continue;
    scan.seen.add(batch.id);
    if (unchecked.push({ batch, partition }) === BATCHES_PER_QUERY) await flush();
  }
  await flush();
  return scan;
}

/** Returns the ids of the applied batches that may have clicks on the day. The ids contain the times of creation. */
const appliedAround = ({ models }: RebuildDeps, startOfDay: number, signal?: AbortSignal): Promise<Set<string>> =>
  new AppliedBatchStore(models).createdBetween(startOfDay, startOfDay + DAY_MS + BATCHING_MARGIN_MS, signal);

/** Writes the day of some subjects. Retries if a concurrent transaction inserts the same document. */
async function writeWithRetries(deps: RebuildDeps, day: string, scan: Scan, ids: string[]): Promise<number> {
  for (let conflicts = 0; ; conflicts += 1) {
    try {
      return await inTransaction(deps.connection, TRANSACTION_TIMEOUT_MS, (session) =>
        write(deps, day, scan, ids, session),
      );
    } catch (error) {
      if (!isDuplicateKey(error) || conflicts === MAX_CONFLICTS) throw error;
    }
  }
}

async function write(
  deps: RebuildDeps,
  day: string,
  scan: Scan,
  ids: string[],
  session: ClientSession,
): Promise<number> {
  // The first read fixes the snapshot of this transaction. Everything applied by then is on the stream by now.
  await new AppliedBatchStore(deps.models).startSnapshot(session);
  await catchUp(deps, day, scan);
  const { applied } = await splitByApplied(deps, scan.pending, session);
  const late = collectAdditions(applied);
  const { days, quarters, size } = scan.periods.with(late, ids);
  await deps.stats.removeParts(ids, session);
  await deps.stats.remove(
    ids.filter((id) => !days.has(id)),
    session,
  );
  const retentionDays = await deps.plans.retentionDays(workspacesOf(days), session);
  await deps.stats.save('days', days, retentionDays, session);
  await deps.stats.save('quarters', quarters, retentionDays, session);
  return size;
}

/** Adds the batches published since the scan to the pending ones. */
async function catchUp({ bus }: RebuildDeps, day: string, scan: Scan): Promise<void> {
  const { last } = await clickStreamState(bus);
  if (last < scan.next) return;
  const start = Date.parse(`${day}T00:00:00.000Z`);
  for await (const { batch, partition, sequence } of clickMessages(bus, { sequence: scan.next })) {
    scan.next = sequence + 1;
    if (scan.seen.has(batch.id) || !hasClicksOnDay(batch, start)) continue;
    scan.seen.add(batch.id);
    scan.pending.push({ batch, partition });
  }
}

/** Separates applied batches from the others, as seen by the session. */
async function splitByApplied({ models }: RebuildDeps, batches: PartitionBatch[], session?: ClientSession) {
  const applied = await new AppliedBatchStore(models).appliedOf(
    batches.map(({ batch }) => batch.id),
    session,
  );
  return {
    applied: batches.filter(({ batch }) => applied.has(batch.id)),
    others: batches.filter(({ batch }) => !applied.has(batch.id)),
  };
}

const hasClicksOnDay = ({ base, clicks }: PartitionBatch['batch'], start: number): boolean =>
  clicks.some(([offset]) => base + offset >= start && base + offset < start + DAY_MS);

const ofDay = (additions: Map<string, Addition>, day: string): Map<string, Addition> =>
  new Map([...additions].filter(([id]) => id.split('/')[1] === day));

function chunksOf<T>(all: T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / length) }, (_, i) => all.slice(i * length, (i + 1) * length));
}
