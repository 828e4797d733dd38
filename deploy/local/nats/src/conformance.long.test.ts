import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { testConsumers } from './conformance/consumers.test.part.js';
import { testCore } from './conformance/core.test.part.js';
import { testDelivery } from './conformance/delivery.test.part.js';
import { testDurability } from './conformance/durability.test.part.js';
import { testPulling } from './conformance/pulling.test.part.js';
import { embedded, realServers, ServerUnderTest } from './conformance/server.test.part.js';
import { testStreams } from './conformance/streams.test.part.js';

const real = realServers();

describe.each([embedded, ...real])('$name', (program) => {
  let server: ServerUnderTest;
  beforeAll(async () => {
    server = await ServerUnderTest.start(program);
  });
  afterAll(() => server.stop());

  testCore(() => server);
  testStreams(() => server);
  testConsumers(() => server);
  testDelivery(() => server);
  testPulling(() => server);
  testDurability(program);
});

if (real.length === 0) test.skip('nats-server is not on PATH: there was nothing to compare with', () => undefined);
