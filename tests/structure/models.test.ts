import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import mongoose, { type Connection, type Model } from 'mongoose';
import { outboxModel } from '@tautan/kit/mongo';

interface Store {
  createModels: (connection: Connection) => Record<string, Model<object>>;
}

const services = new URL('../../../services/', import.meta.url);
const names = readdirSync(services).filter((name) => name !== 'kit');

/** Collections whose documents have dynamic field names (the counted values), which no schema can list. */
const OPEN_COLLECTIONS = new Set(['stats_days', 'stats_quarters']);

describe('a field that a schema lacks', () => {
  test.each(names)('is rejected by every model of %s', async (name) => {
    const { createModels } = (await import(new URL(`${name}/dist/store/models.js`, services).href)) as Store;
    const connection = mongoose.createConnection();
    const models = Object.values(createModels(connection));
    expect(models.length).toBeGreaterThan(0);
    const lenient = [...models, outboxModel(connection)].filter(
      ({ schema }) => schema.get('strict') !== 'throw' || schema.get('strictQuery') !== 'throw',
    );
    expect(lenient.map(({ collection }) => collection.name).filter((each) => !OPEN_COLLECTIONS.has(each))).toEqual([]);
  });

  test('is rejected in updates and filters, instead of being ignored', async () => {
    const { createModels } = (await import(new URL('links/dist/store/models.js', services).href)) as Store;
    const { links } = createModels(mongoose.createConnection());
    const unknown = { $set: { unknownField: 'new' } } as object;
    await expect(links!.updateOne({ _id: 'a' }, unknown)).rejects.toMatchObject({ name: 'StrictModeError' });
    const writes = [{ updateOne: { filter: { _id: 'a' }, update: unknown } }];
    await expect(links!.bulkWrite(writes)).rejects.toMatchObject({ name: 'StrictModeError' });
    await expect(links!.find({ unknownField: 'new' } as object).exec()).rejects.toMatchObject({
      name: 'StrictModeError',
    });
  });
});
