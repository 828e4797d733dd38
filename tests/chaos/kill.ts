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
  const pidOf = async (): Promise<number | undefined> => {
    const { mongodb, nats, services } = await stack.quickstart();
    if (victim === 'mongodb') return mongodb.pid;
    if (victim === 'nats') return nats.pid;
    return services.find(({ name }) => name === victim)!.pid;
  };
  const pid = (await pidOf())!;
  process.kill(pid, 'SIGKILL');
  const at = Date.now();
  await eventually(async () => expect(await pidOf()).not.toBe(pid), 20_000);
  return at;
}
