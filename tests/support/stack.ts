import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '@tautan/kit/testing';
import { limitNames, listedPlanNames, type LimitName } from '@tautan/proto';
import { startBroker, type RealBroker } from './broker.js';

const root = join(import.meta.dirname, '..', '..', '..');
/**
 * Node.js option for every process of the stack. If COMMAND_SHAPES_DIR is set, the process `engine`, the embedded
 * database, records the shapes of the commands that it receives.
 */
const importRecorder = `--import=${pathToFileURL(join(import.meta.dirname, 'record-shapes.js')).href}`;

/** The content of quickstart.json, which the local stack writes when it is ready. */
export interface Quickstart {
  baseUrl: string;
  apiKey: string;
  workspaceId: string;
  person: { email: string; password: string };
  identity: { url: string; clientId: string; deviceClientId: string };
  payments: { url: string; secretKey: string };
  mongodb: { engine: 'embedded' | 'external'; uri: string; pid?: number };
  nats: { engine: 'embedded' | 'external'; url: string; pid?: number };
  services: { name: string; pid: number; grpc?: string; http?: string; admin: string; operator?: number }[];
  /** Only in a cluster: the program and arguments that run `tautan-admin` in the pod of a service, by service. */
  admin?: Record<string, string[]>;
}

export interface Stack {
  baseUrl: string;
  apiKey: string;
  dataDir: string;
  pid: number;
  /** Prefix of the names of its databases. */
  databasePrefix: string;
  /** The terminal output so far. */
  output(): string;
  /** Reads quickstart.json. Process ids in it change when a process is restarted. */
  quickstart(): Promise<Quickstart>;
  /** The real NATS server that `startStack` started or received, if any. */
  broker: RealBroker | undefined;
  /**
   * Stops the stack as Ctrl-C does. Removes its data folder, unless the caller chose the folder or KEEP_DATA is set.
   * Returns the exit code, or null if the stack was killed.
   */
  stop(): Promise<number | null>;
}

export interface StackOptions {
  /** Settings in addition to those of every test stack. */
  env?: Record<string, string>;
  /** `default` keeps the product's own plan limits and rate limits. Otherwise they are lifted. */
  limits?: 'default' | 'lifted';
  /** Program of the supervisor, relative to the repository root; that of `npm start` by default. */
  program?: string;
  /** Data folder, for example that of an earlier stack. It is kept when the stack stops. */
  dataDir?: string;
  /** A real NATS server that outlives the stack. */
  broker?: RealBroker | undefined;
  /** Startup timeout, 25 s by default. Raise it for a stack that starts slowly, for example with a lot of data. */
  readyWithinMs?: number;
}

/** Returns a value for a setting such as PLAN_FREE: a plan with the given limits, and no others that tests reach. */
export const planWith = (limits: Partial<Record<LimitName, number>> = {}): string =>
  JSON.stringify({
    limits: { ...Object.fromEntries(limitNames.map((name) => [name, null])), ...limits },
    rateLimits: { read: 1_000_000, write: 1_000_000 },
  });
/** Plan limits and rate limits that no test reaches unintentionally. */
export const liftedLimits = {
  ...Object.fromEntries(listedPlanNames.map((name) => [`PLAN_${name}`, planWith()])),
  RATE_LIMIT_PUBLIC: '1000000',
  RATE_LIMIT_AUTH: '1000000',
  REDIRECT_BUDGET_UNKNOWN: '0',
  REDIRECT_BUDGET_LIMITED: '0',
};

/** Reads quickstart.json from the data folder of a running stack. */
export const quickstartIn = async (dataDir: string): Promise<Quickstart> =>
  JSON.parse(await readFile(join(dataDir, 'quickstart.json'), 'utf8')) as Quickstart;

/**
 * Starts the product as `npm start` does, on a free port and, by default, with an empty data folder. If TEST_BROKER is
 * the path of a NATS server program, that server is started for the stack. If MONGODB_URI is set, the stack uses
 * databases of its own in that MongoDB. If KEEP_DATA is set, the data folder with its logs is kept.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'tautan-')));
  const broker = options.broker ?? (options.env?.['NATS_URL'] ? undefined : await startBroker());
  // The same for every start with the same data.
  const databasePrefix = process.env['MONGODB_URI'] ? `test_${basename(dataDir)}_` : '';
  const child = spawn(process.execPath, [options.program ?? 'deploy/local/dist/bundle/main.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      IDENTITY_FAST_PASSWORD_HASHES: 'true',
      ...(broker && { NATS_URL: broker.url }),
      DATABASE_PREFIX: databasePrefix,
      ...(options.limits === 'default' ? {} : liftedLimits),
      ...options.env,
      NODE_OPTIONS: `${importRecorder} ${options.env?.['NODE_OPTIONS'] ?? ''}`,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const quickstart = () => quickstartIn(dataDir);
  const stopAndRemove = async () => {
    const code = await end(child);
    if (!options.broker) await broker?.stop();
    if (!options.dataDir && !process.env['KEEP_DATA']) await rm(dataDir, { recursive: true, force: true });
    return code;
  };
  let stopping: Promise<number | null> | undefined;
  const stop = () => (stopping ??= stopAndRemove());
  const { baseUrl, apiKey } = await ready(child, quickstart, () => output, options.readyWithinMs).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  return {
    baseUrl,
    apiKey,
    dataDir,
    pid: child.pid!,
    databasePrefix,
    broker,
    output: () => output,
    quickstart,
    stop,
  };
}

async function ready(
  child: ChildProcess,
  quickstart: () => Promise<Quickstart>,
  output: () => string,
  withinMs = 25_000,
): Promise<Quickstart> {
  return eventually(async () => {
    if (child.exitCode !== null) throw Object.assign(new Error(`the stack exited:\n${output()}`), { final: true });
    const content = await quickstart();
    const answer = await fetch(`${content.baseUrl}/api/v1/tags`, {
      headers: { authorization: `Bearer ${content.apiKey}` },
    });
    if (answer.status !== 200) throw new Error(`not ready: ${answer.status}\n${output()}`);
    return content;
  }, withinMs);
}

/** Sends SIGINT, then SIGKILL after 15 s. Returns null if the process was killed. */
async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  child.kill('SIGINT');
  const code = await ended;
  clearTimeout(killTimer);
  return code;
}
