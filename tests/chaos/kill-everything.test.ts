import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiTag, type Client } from '../support/client.js';
import { startStack, type Stack } from '../support/stack.js';
import { kill } from './kill.js';
import { Ledger } from './ledger.js';
import { randomFrom, seed } from './random.js';

const SECONDS = Number(process.env['CHAOS_SECONDS'] ?? 60);
/** Maximum time for which a redirect process holds clicks in memory. A kill may lose these clicks. */
const UNFLUSHED_MS = 50;
/** Tolerance: the ledger knows when visitors received redirects, not when the clicks were recorded. */
const TOLERANCE_MS = 25;

const random = randomFrom(seed);

let stack: Stack;
let api: Client;
let ledger: Ledger;

beforeAll(async () => {
  stack = await startStack();
  api = apiClient(stack);
});
afterAll(async () => {
  ledger?.close();
  await stack?.stop();
});

test(
  `while processes are killed for ${SECONDS} s, no acknowledged link or click is lost or duplicated, except that clicks just before a kill of the redirect process may be lost`,
  async () => {
    const visitedLinks = await Promise.all(Array.from({ length: 5 }, () => aLink(api)));
    ledger = new Ledger(
      stack,
      visitedLinks.map(({ slug }) => slug),
    );
    const external = process.env['MONGODB_URI'] !== undefined;
    const victims = ['gateway', 'redirect', 'nats', 'links', ...(external ? [] : ['mongodb'])];
    const until = Date.now() + SECONDS * 1_000;
    const running = (): boolean => Date.now() < until;
    const redirectKills: number[] = [];
    const killer = async (): Promise<number> => {
      let kills = 0;
      for (; running(); kills += 1) {
        const victim = victims[kills % victims.length]!;
        const at = await kill(stack, victim);
        if (victim === 'redirect') redirectKills.push(at);
        await new Promise((resolve) => setTimeout(resolve, 1_000 + random(1_000)));
      }
      return kills;
    };
    const traffic = [
      ledger.write(running),
      ledger.write(running),
      ledger.visit(running),
      ledger.visit(running),
      ledger.visit(running),
    ];
    const [kills] = await Promise.all([killer(), ...traffic]);

    const listed = await eventually(() => ledger.listLinks(), 30_000);
    const numbered = listed.filter(({ url }) => url.startsWith('https://example.com/n/'));
    expect(numbered).toHaveLength(ledger.created.size);
    for (const [n, id] of ledger.created) {
      expect(numbered.filter(({ url }) => url.endsWith(`/n/${n}`)).map((link) => link.id)).toEqual([id]);
    }
    const { data: tags } = await api.get<ApiTag[]>('/tags');
    expect(tags.find(({ name }) => name === 'chaos')!.linkCount).toBe(numbered.length);

    let acknowledged = 0;
    let missing = 0;
    for (const { id, slug } of visitedLinks) {
      const redirectCount = ledger.redirects.get(slug)!.length;
      const losable = ledger.justBefore(slug, redirectKills, UNFLUSHED_MS + TOLERANCE_MS);
      await eventually(
        async () => {
          const clickCount = (await api.get<{ clickCount: number }>(`/links/${id}`)).data.clickCount;
          expect(clickCount).toBeGreaterThanOrEqual(redirectCount - losable);
        },
        60_000,
        500,
      );
      // If clicks were applied twice, their count would exceed the number of visits.
      const { clickCount } = (await api.get<{ clickCount: number }>(`/links/${id}`)).data;
      expect(clickCount).toBeLessThanOrEqual(redirectCount + ledger.uncertainVisits.get(slug)!);
      acknowledged += redirectCount;
      missing += Math.max(0, redirectCount - clickCount);
    }
    process.stdout.write(
      `chaos: ${kills} kills, ${ledger.created.size} links and ${acknowledged} clicks acknowledged; ` +
        `0 links lost or duplicated, ${missing} clicks lost in the ${UNFLUSHED_MS} ms before ${redirectKills.length} kills of the redirect process\n`,
    );
  },
  (SECONDS + 180) * 1_000,
);
