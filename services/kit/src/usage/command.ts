import mongoose, { type Connection } from 'mongoose';
import { checkUsage } from './check-usage.js';
import type { UsageCounters } from './usage-counters.js';

const USAGE = 'Usage: check-usage [--repair] [workspace id …]';

export interface UsageCommandOptions {
  /** Reads the settings of the database. May throw a ConfigError. */
  readSettings: () => { MONGODB_URI: string; MONGODB_DATABASE: string };
  createCounters: (connection: Connection) => UsageCounters;
  /** Prints to standard output by default. */
  print?: (line: string) => void;
}

/**
 * `check-usage [--repair] [workspace id …]`: prints every usage counter that differs from what exists, and corrects it with
 * `--repair`. Returns the exit code: 0 when all agree or were repaired, 1 when some differ, 2 when it cannot be told.
 */
export async function usageCommand(
  args: string[],
  { readSettings, createCounters, print = (line) => process.stdout.write(`${line}\n`) }: UsageCommandOptions,
): Promise<number> {
  const repair = args.includes('--repair');
  const workspaceIds = args.filter((arg) => arg !== '--repair');
  if (workspaceIds.some((id) => !id.startsWith('ws_'))) {
    print(USAGE);
    return 2;
  }
  let connection: Connection | undefined;
  try {
    const { MONGODB_URI, MONGODB_DATABASE } = readSettings();
    connection = mongoose.createConnection(MONGODB_URI, {
      dbName: MONGODB_DATABASE,
      autoIndex: false,
      autoCreate: false,
    });
    await connection.asPromise();
    const found = await printDrifts(createCounters(connection), { workspaceIds, repair, print });
    print(summary(found, repair));
    return found === 0 || repair ? 0 : 1;
  } catch (error) {
    print((error as Error).message);
    return 2;
  } finally {
    await connection?.close();
  }
}

/** Returns the number of counters that differ. */
async function printDrifts(
  counters: UsageCounters,
  { workspaceIds, repair, print }: { workspaceIds: string[]; repair: boolean; print: (line: string) => void },
): Promise<number> {
  let found = 0;
  for (const workspaceId of workspaceIds.length > 0 ? workspaceIds : [undefined]) {
    for await (const { drift, limit, month, ...of } of checkUsage(counters, { workspaceId, repair, at: new Date() })) {
      found += 1;
      const counter = [of.workspaceId, limit, month].filter((part) => part !== undefined).join(' ');
      const by = drift > 0 ? `${drift} too high` : `${-drift} too low`;
      print(`${counter}: ${by}${repair ? ', repaired' : ''}`);
    }
  }
  return found;
}

function summary(found: number, repaired: boolean): string {
  if (found === 0) return 'Every usage counter is right.';
  const one = found === 1;
  if (repaired) return one ? '1 counter differed and was repaired.' : `${found} counters differed and were repaired.`;
  const differ = one ? '1 counter differs' : `${found} counters differ`;
  return `${differ}; run again with --repair to correct ${one ? 'it' : 'them'}.`;
}
