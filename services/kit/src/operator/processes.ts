import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { processSubjects, type ProcessMessage } from '@tautan/proto';
import type { Bus } from '../bus/index.js';
import { newUlid } from '../values/ids.js';
import { sleep } from '../async/time.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export interface ProcessFacts {
  service: string;
  /** Connection states by name. */
  connections: Record<string, () => boolean | Promise<boolean>>;
  /** The operator calls that the process serves. */
  calls: string[];
}

/** Time to wait for the responses of all processes, milliseconds. */
const RESPONSES_MS = 1_000;

/**
 * Describes this process, and lists all processes of the installation. The others are queried over the bus, because an
 * operator listener is only reachable from its own host.
 */
export class Processes {
  readonly #startedAt = new Date().toISOString();
  /** Responses received so far, by the id of the request. */
  readonly #collecting = new Map<string, ProcessMessage[]>();

  constructor(
    private readonly bus: Bus,
    private readonly facts: ProcessFacts,
  ) {
    bus.listen(processSubjects.request, (payload) => void this.#respond((payload as { id: string }).id));
    bus.listen(processSubjects.response, (payload) => {
      const { id, process } = payload as { id: string; process: ProcessMessage };
      this.#collecting.get(id)?.push(process);
    });
  }

  async describe(): Promise<ProcessMessage> {
    const { service, calls } = this.facts;
    const connections: ProcessFacts['connections'] = { ...this.facts.connections, nats: () => this.bus.connected };
    const states = Object.entries(connections).map(async ([name, works]) => ({ name, connected: await works() }));
    return {
      service,
      host: hostname(),
      pid: process.pid,
      version,
      node: process.versions.node,
      startedAt: this.#startedAt,
      connections: await Promise.all(states),
      calls,
    };
  }

  /**
   * Returns the processes that respond within a second. If the bus is unavailable, returns only this one, with
   * `complete` false.
   */
  async list(): Promise<{ processes: ProcessMessage[]; complete: boolean }> {
    const id = newUlid();
    const found: ProcessMessage[] = [];
    this.#collecting.set(id, found);
    try {
      if (!this.bus.connected || !this.bus.notify(processSubjects.request, { id }))
        return { processes: [await this.describe()], complete: false };
      await sleep(RESPONSES_MS);
      const nameOf = ({ service, host, pid }: ProcessMessage) => `${service} ${host} ${pid}`;
      return { processes: found.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)), complete: true };
    } finally {
      this.#collecting.delete(id);
    }
  }

  async #respond(id: string): Promise<void> {
    this.bus.notify(processSubjects.response, { id, process: await this.describe() });
  }
}
