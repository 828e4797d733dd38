import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Changes } from './changes.js';
import { Database } from './database.js';
import { prefixOf, successor } from './keys.js';
import type { Snapshot } from './snapshot.js';

let folder: string;
let database: Database;
let lastCollection = 0;

const fail = (message: unknown): never => {
  throw new Error(String(message));
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongo-snapshot-'));
  database = await Database.open(folder, fail, false);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** Two lists of numbers that identify keys: keys to put, and keys to remove afterwards. */
const changes = fc.tuple(
  fc.array(fc.nat(699), { maxLength: 400, size: 'max' }),
  fc.array(fc.nat(699), { maxLength: 200, size: 'max' }),
);
const bound = fc.nat(700);

const keyOf = (prefix: string, number: number): string => prefix + String.fromCharCode(number >> 8, number & 0xff);

type Model = Map<string, string>;

function change(
  model: Model,
  set: (key: string, value: Buffer | null) => void,
  prefix: string,
  [puts, removals]: [number[], number[]],
  text: string,
): void {
  for (const key of puts.map((number) => keyOf(prefix, number))) {
    set(key, Buffer.from(text));
    model.set(key, text);
  }
  for (const key of removals.map((number) => keyOf(prefix, number))) {
    set(key, null);
    model.delete(key);
  }
}

function checkRange(reader: Snapshot, model: Model, low: string, high: string): void {
  const expected = [...model].filter(([key]) => key >= low && key < high).sort(([a], [b]) => (a < b ? -1 : 1));
  const found = (reverse: boolean) =>
    Array.from(reader.range(low, high, { reverse }), ({ key, value }) => [key, value!.toString()]);
  expect(found(false)).toEqual(expected);
  expect(found(true)).toEqual(expected.toReversed());
  const keys = Array.from(reader.range(low, high, { keysOnly: true }), ({ key }) => key);
  expect(keys).toEqual(expected.map(([key]) => key));
}

test('a range contains stored and pending changes; a snapshot sees its own later changes, but no others', async () => {
  const property = fc.asyncProperty(
    changes,
    changes,
    changes,
    changes,
    bound,
    bound,
    async (stored, pending, own, later, one, other) => {
      const prefix = prefixOf('document', (lastCollection += 1));
      const set = (key: string, value: Buffer | null): void => database.set(key, value);
      const model: Model = new Map();
      change(model, set, prefix, stored, 'stored');
      await database.durable();
      change(model, set, prefix, pending, 'pending');
      const ownChanges = new Changes();
      const snapshot = database.snapshot(ownChanges);
      const snapshotModel: Model = new Map(model);
      change(snapshotModel, (key, value) => ownChanges.set(key, value), prefix, own, 'own');
      change(model, set, prefix, later, 'later');
      const [low, high] = [Math.min(one, other), Math.max(one, other)].map((number) => keyOf(prefix, number)) as [
        string,
        string,
      ];
      const check = (): void => {
        for (const [from, until] of [
          [low, high],
          [prefix, successor(prefix)],
        ] as const) {
          checkRange(database.latest, model, from, until);
          checkRange(snapshot, snapshotModel, from, until);
        }
      };
      check();
      const written = database.durable();
      check();
      await written;
      check();
      snapshot.close();
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
