import { afterAll, expect, jest, test } from '@jest/globals';
import { sleep } from '@tautan/kit';
import type { Store } from '../../store/index.js';
import { ServedHosts } from './served-hosts.js';

let now = performance.now();
jest.spyOn(performance, 'now').mockImplementation(() => now);
afterAll(() => void jest.restoreAllMocks());

/** Moves the clock of the cache. Then waits, because the cache reads its clock at most once per millisecond. */
async function advance(ms: number): Promise<void> {
  now += ms;
  await sleep(10);
}

test('the routing table is read at most once every 5 s for each host, served or not', async () => {
  const served = ['a.example/'];
  const reads: string[][] = [];
  const byKeys = async (keys: string[]) => {
    reads.push(keys);
    return keys.filter((key) => served.includes(key)).map((_id) => ({ _id }));
  };
  const hosts = new ServedHosts({ routes: { byKeys } } as unknown as Pick<Store, 'routes'>);
  const urls = ['https://a.example/1', 'https://A.example.:8443/2', 'https://b.example/'];
  const among = async () => urls.map(await hosts.among(urls));
  expect(await among()).toEqual([true, true, false]);
  served.push('b.example/');
  await advance(4_900);
  expect(await among()).toEqual([true, true, false]);
  expect(reads).toEqual([['a.example/', 'b.example/']]);
  await advance(200);
  expect(await among()).toEqual([true, true, true]);
  await expect(hosts.assertNotServed(urls[2]!, 'rootUrl')).rejects.toMatchObject({ field: 'rootUrl' });
  expect(reads).toHaveLength(2);
});
