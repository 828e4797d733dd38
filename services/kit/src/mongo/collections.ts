import { Schema, type Model, type SchemaDefinition, type SchemaOptions } from 'mongoose';

/**
 * Default options of schemas. A write or query with a field that the schema lacks throws, whereas mongoose by default
 * drops the field from a write.
 */
export const schemaOptions = {
  versionKey: false,
  minimize: false,
  timestamps: false,
  strict: 'throw',
  strictQuery: 'throw',
} as const;

/** Returns the schema of a collection. A call does not compile unless `fields` lists every field of the document. */
export const strictSchema = <T>(fields: Record<keyof Required<T>, unknown>, options: SchemaOptions = {}): Schema<T> =>
  new Schema<T>(fields as SchemaDefinition<T>, { ...schemaOptions, ...options } as object);

/** Creates missing collections and indexes of the models. Transactions and uniqueness rely on them. */
export async function createCollections(models: object): Promise<void> {
  const create = async (model: Model<unknown>): Promise<void> => {
    await model.createCollection();
    await model.createIndexes();
  };
  await Promise.all((Object.values(models) as Model<unknown>[]).map(create));
}

/** Returns the bytes of a binary field. Lean queries bypass the schema and return the `Binary` of the driver. */
export const bytesOf = (field: Buffer | { buffer: Uint8Array }): Buffer =>
  Buffer.isBuffer(field) ? field : Buffer.from(field.buffer);
