import { cp, rm } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { brokerPrograms, startBrokerProcess, until } from '@tautan/kit/testing';
import { clickSubject } from '@tautan/proto';
import { aClickBatch } from '../testing/clicks.js';
import { startFixture } from '../testing/redirects.js';

test.each(brokerPrograms)(
  'clicks are counted once, and within 5 s, after the data of the broker is replaced by an older copy (%s)',
  async (program) => {
    const broker = await startBrokerProcess(program);
    const fixture = await startFixture({ natsUrl: broker.url });
    const copy = `${broker.folder}-copy`;
    try {
      const route = await fixture.aRoute();
      await fixture.roles('stats');
      const click = async (count: number) => {
        for (let i = 0; i < count; i += 1) {
          const { batch, partition } = aClickBatch([
            { link: route.linkId, workspace: route.workspaceId, at: Date.now() },
          ]);
          const stored = () =>
            fixture.bus.publish(clickSubject(partition), JSON.stringify(batch), { id: batch.id }).then(
              () => true,
              () => false,
            );
          await until(stored, 5_000);
        }
      };
      const counted = (clicks: number) => until(async () => (await fixture.link(route)).clickCount === clicks, 5_000);
      await click(5);
      await counted(5);
      await broker.crash(() => cp(broker.folder, copy, { recursive: true }));
      await click(10);
      await counted(15);
      await broker.crash(async () => {
        await rm(broker.folder, { recursive: true });
        await cp(copy, broker.folder, { recursive: true });
      });
      await click(1);
      await counted(16);
      await click(12);
      await counted(28);
      expect(await fixture.models.appliedBatches.countDocuments()).toBe(28);
      expect(await fixture.models.deadLetters.countDocuments()).toBe(0);
    } finally {
      await fixture.stop();
      await broker.stop();
      await rm(copy, { recursive: true, force: true });
    }
  },
);
