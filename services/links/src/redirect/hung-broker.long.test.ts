import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { brokerPrograms, startBrokerProcess, until, type BrokerProcess } from '@tautan/kit/testing';
import { startStage, visit, type Stage } from '../testing/redirects.js';

describe.each(brokerPrograms)('while %s hangs', (program) => {
  let broker: BrokerProcess;
  let stage: Stage;
  beforeEach(async () => {
    broker = await startBrokerProcess(program);
    stage = await startStage({ own: true, natsUrl: broker.url });
  });
  afterEach(async () => {
    broker.signal('SIGCONT');
    await stage.stop();
    await broker.stop();
  });

  test('a change of a cached link is effective within a second', async () => {
    const { addresses } = await stage.roles('redirect');
    const port = addresses['http']!;
    const route = await stage.aRoute();
    expect((await visit(port, route._id)).status).toBe(302);
    // Past the lifetime of an entry that is not kept up to date.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    broker.signal('SIGSTOP');
    const began = performance.now();
    await stage.change(route, { status: 'archived' });
    await until(async () => (await visit(port, route._id)).status === 410, 1_500);
    expect(performance.now() - began).toBeLessThan(1_000);
  }, 30_000);
});
