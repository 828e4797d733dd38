import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { consumerFacts } from './conformance/consumers.test.part.js';
import { coreFacts } from './conformance/core.test.part.js';
import { deliveryFacts } from './conformance/delivery.test.part.js';
import { durabilityFacts } from './conformance/durability.test.part.js';
import { pullingFacts } from './conformance/pulling.test.part.js';
import { embedded, realServers, ServerUnderTest } from './conformance/server.test.part.js';
import { streamFacts } from './conformance/streams.test.part.js';

const real = realServers();

describe.each([embedded, ...real])('$name', (program) => {
  let server: ServerUnderTest;
  beforeAll(async () => {
    server = await ServerUnderTest.start(program);
  });
  afterAll(() => server.stop());

  coreFacts(() => server);
  streamFacts(() => server);
  consumerFacts(() => server);
  deliveryFacts(() => server);
  pullingFacts(() => server);
  durabilityFacts(program);
});

if (real.length === 0) test.skip('nats-server is not on PATH: there was nothing to compare with', () => undefined);
