import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { consumerTests } from './conformance/consumers.test.part.js';
import { coreTests } from './conformance/core.test.part.js';
import { deliveryTests } from './conformance/delivery.test.part.js';
import { durabilityTests } from './conformance/durability.test.part.js';
import { pullingTests } from './conformance/pulling.test.part.js';
import { embedded, realServers, ServerUnderTest } from './conformance/server.test.part.js';
import { streamTests } from './conformance/streams.test.part.js';

const real = realServers();

describe.each([embedded, ...real])('$name', (program) => {
  let server: ServerUnderTest;
  beforeAll(async () => {
    server = await ServerUnderTest.start(program);
  });
  afterAll(() => server.stop());

  coreTests(() => server);
  streamTests(() => server);
  consumerTests(() => server);
  deliveryTests(() => server);
  pullingTests(() => server);
  durabilityTests(program);
});

if (real.length === 0) test.skip('nats-server is not on PATH: there was nothing to compare with', () => undefined);
