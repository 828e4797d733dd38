import { fail } from '@tautan/kit';
import { rpcTable, type RpcTable } from '@tautan/kit/rpc';
import { streams } from '@tautan/proto';
import { operatorServices } from '@tautan/proto/rpc';
import { DAY_MS, startOfDay } from '../domain/quarters.js';
import { utcDay } from '../../redirects/domain/visitor.js';
import { clickStreamState } from './click-messages.js';
import { rebuildDay, type RebuildDeps } from './rebuild-day.js';

/**
 * Recomputes the statistics of a UTC day (YYYY-MM-DD) from the clicks on the stream. Throws VALIDATION_ERROR naming
 * `day`, before any change, if it is not a day or the stream does not hold all of it. Rejects if `signal` is aborted
 * before the last transaction begins. The day may then have been rebuilt for some links, QR codes and workspaces, but
 * not for the others.
 */
export async function rebuildStats(deps: RebuildDeps, day: string, signal?: AbortSignal) {
  const start = startOf(day);
  const completeFrom = await firstCompleteTime(deps);
  if (start < completeFrom) {
    const firstCompleteDay = utcDay(startOfDay(completeFrom) + DAY_MS);
    const message = `The stream holds complete days only from ${firstCompleteDay} on. Nothing was changed.`;
    throw fail('VALIDATION_ERROR', message, 'day');
  }
  return { day, ...(await rebuildDay(deps, start, signal)) };
}

/**
 * Returns the time (Unix ms) from which the stream holds all clicks, judging only by its first message and its maximum
 * age. `rebuildDay` detects clicks that are missing after this time.
 */
async function firstCompleteTime({ bus }: RebuildDeps): Promise<number> {
  const { first, firstAt } = await clickStreamState(bus);
  // A stream whose first sequence number is 1 may have been recreated after a loss. Missing clicks older than its
  // maximum age cannot be detected, because the markers of their batches (`applied_batches`) may have expired.
  return first > 1 ? firstAt : Date.now() - streams.clicks.maxAgeMs;
}

function startOf(day: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : NaN;
  if (Number.isNaN(ms) || utcDay(ms) !== day) throw fail('VALIDATION_ERROR', 'day must be a date, YYYY-MM-DD.', 'day');
  return ms;
}

/** Returns the operator RPC that rebuilds statistics. */
export const rebuildTable = (deps: RebuildDeps): RpcTable =>
  rpcTable(operatorServices.stats, {
    RebuildDay: ({ signal }, { day }) => rebuildStats(deps, day, signal),
  });
