import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SharedStack } from './shared-stack.js';
import type { Stack } from './stack.js';

let starting: Promise<Stack> | undefined;
let folder: string;

/** Settings of the shared stack, in addition to those of every test stack. */
export const sharedSettings = {
  EXPIRY_SWEEP_MS: '500',
  CORS_ORIGINS: 'https://app.example.com',
  ALLOW_PRIVATE_DESTINATIONS: 'false',
};

/** Returns a stack that was not started by this test run. Its data folder contains quickstart.json. */
async function external(dataDir: string): Promise<Stack> {
  const { quickstartIn } = await import('./stack.js');
  const quickstart = () => quickstartIn(dataDir);
  const { baseUrl, apiKey } = await quickstart();
  return {
    baseUrl,
    apiKey,
    dataDir,
    pid: 0,
    databasePrefix: '',
    broker: undefined,
    output: () => '',
    quickstart,
    stop: async () => 0,
  };
}

/** Starts the stack when the first suite requests it. After a failed start, the next request starts it again. */
async function start(): Promise<Stack> {
  try {
    const externalDataDir = process.env['TEST_STACK_DIR'];
    if (externalDataDir !== undefined) return await external(externalDataDir);
    // Imported only in runs that need it.
    const { startStack } = await import('./stack.js');
    return await startStack({ env: sharedSettings });
  } catch (error) {
    starting = undefined;
    throw error;
  }
}

const server = createServer((_request, response) => {
  starting ??= start();
  starting.then(
    ({ baseUrl, apiKey, dataDir, pid, databasePrefix }) => {
      const shared: SharedStack = { baseUrl, apiKey, dataDir, pid, databasePrefix };
      response.end(JSON.stringify(shared));
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

/** Runs before all suites. Serves their requests for the shared stack. */
export default async function setUp(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'tautan-shared-'));
  // Every stack of the run records the database commands of its services.
  process.env['COMMAND_SHAPES_DIR'] ??= join(folder, 'shapes');
  process.env['TEST_STACK_SOCKET'] = join(folder, 'stack.sock');
  await new Promise<void>((resolve) => server.listen(process.env['TEST_STACK_SOCKET'], resolve));
  server.unref();
}

/** Runs after all suites. */
export async function tearDown(): Promise<void> {
  await (await starting?.catch(() => undefined))?.stop();
  server.close();
  try {
    await checkShapes(process.env['COMMAND_SHAPES_DIR']!);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Fails the run if a service sent a command that a sharded cluster would either reject or forward to every shard. Sets
 * the exit code, because throwing here would prevent Jest from writing its report.
 */
async function checkShapes(recorded: string): Promise<void> {
  if ((await readdir(recorded).catch(() => [])).length === 0) return;
  const { declaredRules, describeProblems, readShapes, shardingProblems } = await import('./command-shapes.js');
  const problems = shardingProblems(await readShapes(recorded), declaredRules());
  if (problems.length === 0) return;
  process.stderr.write(`${describeProblems(problems)}\n`);
  process.exitCode = 1;
}
