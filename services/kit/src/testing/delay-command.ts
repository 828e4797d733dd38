import type { Connection } from 'mongoose';

/**
 * Makes a MongoDB command of the application `appName` take one second longer with a probability of 70%. If `command`
 * is undefined, removes the delay.
 */
export async function delayCommand(
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
