import { expect } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { Stack } from '../support/stack.js';

/** Kills one process of a stack with SIGKILL and waits until it is back under another pid. Answers when it was killed. */
export async function kill(stack: Stack, victim: string): Promise<number> {
  if (victim === 'nats' && stack.broker) {
    const at = Date.now();
    await stack.broker.crash();
    return at;
  }
  /** Rejects while it is down. */
  const pidOf = async (): Promise<number> => {
    const { mongodb, nats, services } = await stack.quickstart();
    const pid = victim === 'mongodb' ? mongodb.pid : victim === 'nats' ? nats.pid : services.find(({ name }) => name === victim)?.pid; // prettier-ignore
    if (pid === undefined) throw new Error(`${victim} is down`);
    return pid;
  };
  const pid = await eventually(pidOf, 20_000);
  process.kill(pid, 'SIGKILL');
  const at = Date.now();
  await eventually(async () => expect(await pidOf()).not.toBe(pid), 20_000);
  return at;
}
