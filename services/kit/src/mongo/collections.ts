import type { Model } from 'mongoose';

/** Makes every collection and index of some models that is missing; transactions and uniqueness rely on them. */
export async function makeCollections(models: object): Promise<void> {
  const make = async (model: Model<unknown>): Promise<void> => {
    await model.createCollection();
    await model.createIndexes();
  };
  await Promise.all((Object.values(models) as Model<unknown>[]).map(make));
}

/** The bytes of a binary field as the driver gives it: its own `Binary` where no schema made a Buffer of it. */
export const bytesOf = (field: Buffer | { buffer: Uint8Array }): Buffer =>
  Buffer.isBuffer(field) ? field : Buffer.from(field.buffer);
