import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';

/** A server program under test. */
export interface Program {
  name: string;
  start(port: number, folder: string): ChildProcess;
}

const main = fileURLToPath(new URL('../main.js', import.meta.url));

export const embedded: Program = {
  name: 'the embedded broker',
  start: (port, folder) => {
    const env = { ...process.env, NODE_OPTIONS: '', PORT: String(port), DATA_DIR: folder };
    return spawn(process.execPath, [main], { env, stdio: 'ignore' });
  },
};

/** Returns the real servers: those of NATS_SERVERS (separated as in PATH), or the one on PATH, or none. */
export function realServers(): Program[] {
  const binaries = process.env['NATS_SERVERS']?.split(delimiter).filter(Boolean) ?? ['nats-server'];
  return binaries.flatMap((binary) => {
    const { stdout, error } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
    // A configured server that does not exist is an error.
    if (error && process.env['NATS_SERVERS'] !== undefined)
      throw new Error(`${binary} cannot be run: ${error.message}`);
    if (error) return [];
    const start = (port: number, folder: string): ChildProcess =>
      spawn(binary, ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    return [{ name: stdout.trim().replace(': v', ' '), start }];
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A running server with its own data folder, on a port that stays the same across restarts. */
export class ServerUnderTest {
  #process: ChildProcess | undefined;
  readonly #connections: NatsConnection[] = [];

  private constructor(
    private readonly program: Program,
    readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(program: Program): Promise<ServerUnderTest> {
    const folder = await mkdtemp(join(tmpdir(), 'bus-'));
    const server = new ServerUnderTest(program, await freePort(), folder);
    await server.start();
    return server;
  }

  /** Starts or restarts the program and waits until it responds. */
  async start(): Promise<void> {
    this.#process = this.program.start(this.port, this.folder);
    const probe = await this.#connect({ waitOnFirstConnect: true, reconnectTimeWait: 20, maxReconnectAttempts: 500 });
    await probe.close();
  }

  /** Connects a client, which is closed when the server is stopped. */
  async connect(options: ConnectionOptions = {}): Promise<NatsConnection> {
    const connection = await this.#connect(options);
    this.#connections.push(connection);
    return connection;
  }

  /** Sends a signal to the program and waits for its exit code. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    return ended;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
    await this.end('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }

  #connect(options: ConnectionOptions): Promise<NatsConnection> {
    return connect({ servers: `127.0.0.1:${this.port}`, timeout: 10_000, ...options });
  }
}

/** Waits until `probe` returns a value other than undefined, null or false. Throws after `within` ms. */
export async function eventually<T>(probe: () => T | Promise<T>, within = 8_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + within;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`the condition was not met within ${within} ms`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
