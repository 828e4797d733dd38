import { expect } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { Stack } from '../support/stack.js';

/** Returns the pid of a process of a stack (`mongodb`, `nats` or a service's name). Rejects while it is down. */
export async function pidOf(stack: Stack, name: string): Promise<number> {
  if (name === 'nats' && stack.broker) return stack.broker.pid();
  const { mongodb, nats, services } = await stack.quickstart();
  const pid =
    name === 'mongodb' ? mongodb.pid : name === 'nats' ? nats.pid : services.find((each) => each.name === name)?.pid;
  if (pid === undefined) throw new Error(`${name} is down`);
  return pid;
}

/** Kills one process of a stack with SIGKILL and waits until it has another pid. Returns the time of the kill. */
export async function kill(stack: Stack, victim: string): Promise<number> {
  if (victim === 'nats' && stack.broker) {
    const at = Date.now();
    await stack.broker.crash();
    return at;
  }
  const pid = await eventually(() => pidOf(stack, victim), 20_000);
  process.kill(pid, 'SIGKILL');
  const at = Date.now();
  await eventually(async () => expect(await pidOf(stack, victim)).not.toBe(pid), 20_000);
  return at;
}
