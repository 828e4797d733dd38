import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startDatabase, type TestDatabase } from '../testing/database.js';
import { readAhead } from './read-ahead.js';

interface Thing {
  _id: number;
}

let database: TestDatabase<unknown>;
/** The names of the commands since the start of the test. */
let commands: string[];

const things = () => database.connection.collection<Thing>('things');
const read = () => readAhead(things().find({}, { batchSize: 2 }));

async function collect(batches: AsyncIterable<Thing[]>): Promise<Thing[][]> {
  const all: Thing[][] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

beforeAll(async () => {
  database = await startDatabase(
    () => undefined,
    async () => {},
  );
  database.connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  commands = [];
  await things().insertMany(Array.from({ length: 5 }, (_, _id) => ({ _id })));
});
beforeEach(() => void (commands = []));
afterAll(() => database.stop());

test('yields all batches, and none for an empty result', async () => {
  const batches = await collect(read());
  expect(batches.map((batch) => batch.map(({ _id }) => _id))).toEqual([[0, 1], [2, 3], [4]]);
  expect(await collect(readAhead(things().find({ _id: 9 })))).toEqual([]);
});

test('requests the next batch before it yields the current one', async () => {
  const sent: string[][] = [];
  for await (const _ of read()) sent.push([...commands]);
  expect(sent).toEqual([
    ['find', 'getMore'],
    ['find', 'getMore', 'getMore'],
    ['find', 'getMore', 'getMore'],
  ]);
});

test('closes the cursor if the loop ends early', async () => {
  for await (const _ of read()) break;
  expect(commands).toEqual(['find', 'getMore', 'killCursors']);
});

test('throws the error of a request when its batch is due, but not if the loop ends before then', async () => {
  const unhandled: unknown[] = [];
  const record = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', record);
  for (const rounds of [2, 3]) {
    const cursor = things().find({}, { batchSize: 2 });
    const batches = readAhead(cursor);
    await batches.next();
    await database.connection.db!.command({ killCursors: 'things', cursors: [cursor.id] });
    await expect(batches.next()).resolves.toMatchObject({ value: [{ _id: 2 }, { _id: 3 }] });
    if (rounds === 3) await expect(batches.next()).rejects.toThrow(/cursor/);
    else await batches.return(undefined);
  }
  process.off('unhandledRejection', record);
  expect(unhandled).toEqual([]);
});
