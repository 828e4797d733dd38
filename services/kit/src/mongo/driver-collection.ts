import type { Model, mongo } from 'mongoose';

/**
 * Returns the driver's collection of a model, typed by its documents. Writes through it bypass mongoose's casting and
 * validation, so their values must already have the types of the schema.
 */
export const driverCollection = <T extends { _id: string }>(model: Model<T>): mongo.Collection<T> =>
  model.collection as unknown as mongo.Collection<T>;
