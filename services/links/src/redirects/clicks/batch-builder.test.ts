import { newId } from '@tautan/kit';
import { expect, test } from '@jest/globals';
import type { CachedRoute } from '../cached-route.js';
import { BatchBuilder, clicksIn } from './batch-builder.js';

test('counts the clicks of a batch that was read back from disk, regardless of the content of its texts', () => {
  const builder = new BatchBuilder(0);
  const route = { linkId: newId('lnk'), qrId: null, workspaceId: newId('ws'), via: 'l' } as unknown as CachedRoute;
  for (const userAgent of ['],"clicks":[', '],[', '[[],[]],[', 'Firefox']) {
    builder.add({
      at: 1,
      route,
      human: true,
      userAgent,
      referrer: '],[',
      place: { country: 'ID', city: '],[' },
      visitor: 'v',
    });
  }
  const { id, partition, payload, clicks } = builder.take();
  expect([clicks, clicksIn({ id, partition, payload })]).toEqual([4, 4]);
});
