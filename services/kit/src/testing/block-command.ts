import type { Connection } from 'mongoose';

/** Delays 70% of the uses of a command by an application (`appName`) by one second. `undefined` removes the delay. */
export async function blockCommand(
  connection: Connection,
  appName: string,
  command: string | undefined,
): Promise<void> {
  const data = { failCommands: [command], blockConnection: true, blockTimeMS: 1_000, appName };
  const mode = command ? { activationProbability: 0.7 } : 'off';
  await connection
    .getClient()
    .db('admin')
    .command({ configureFailPoint: 'failCommand', mode, ...(command && { data }) });
}
