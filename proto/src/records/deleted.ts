import { z } from 'zod';
import { identifier } from './fields.js';

const deleted = z.literal(true).meta({ description: 'Always true.', examples: [true] });

/** Returns the schema of the response to the deletion of a resource whose id has this prefix. */
export const deletedRecord = (prefix: string) =>
  z.object({ id: identifier(prefix, 'Id of the deleted resource.'), deleted });
export type DeletedRecord = z.infer<ReturnType<typeof deletedRecord>>;

/** Returns the response to the deletion of the resource with this id. */
export const deletedOf = (id: string): DeletedRecord => ({ id, deleted: true });
