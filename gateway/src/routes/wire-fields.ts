import { fail } from '@tautan/kit';
import { z } from 'zod';
import { unwrapped } from '../validation.js';

/** A field of a message, with null for absent. */
type Wire<T> = undefined extends T ? Exclude<T, undefined> | null : T;

/** A field's type in the record if the value in the message can be copied; its type in the message otherwise. */
type Field<F, W> = W extends F
  ? F
  : [W, F] extends [string | null, string | null]
    ? null extends W
      ? null extends F
        ? F
        : W
      : F
    : W;

/** The fields that a record and a message have in common. */
type Fields<R extends z.ZodObject, M> = {
  [K in keyof z.infer<R> & keyof M]: Field<z.infer<R>[K], Wire<M[K]>>;
};

/**
 * Returns a function that copies the fields of a record from a message, with null for absent fields. It throws
 * INTERNAL_ERROR if a field with a list of allowed values has another value. If a value that passes this check may
 * still not fit the record, the field keeps the type that it has in the message, so that the compiler requires a
 * conversion.
 */
export function wireFields<R extends z.ZodObject>(record: R) {
  const fields = Object.entries(record.shape as Record<string, z.ZodType>).map(
    ([name, schema]) => [name, allowedValues(schema)] as const,
  );
  return <M extends object>(message: M): Fields<R, M> => {
    const copy: Record<string, unknown> = {};
    for (const [name, allowed] of fields) {
      const value = (message as Record<string, unknown>)[name] ?? null;
      if (allowed && value !== null && !allowed.has(value)) throw unknownValue(name, value);
      copy[name] = value;
    }
    return copy as Fields<R, M>;
  };
}

function allowedValues(schema: z.ZodType): ReadonlySet<unknown> | undefined {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodEnum ? new Set<unknown>(inner.options) : undefined;
}

/** Returns a string of a message as one of the allowed values. Throws INTERNAL_ERROR for any other. */
export function wireValue<V extends string>(values: readonly V[], name: string, value: string): V {
  const found = values.find((each) => each === value);
  if (found === undefined) throw unknownValue(name, value);
  return found;
}

const unknownValue = (name: string, value: unknown) =>
  fail('INTERNAL_ERROR', `A service sent an unknown value of ${name}: ${JSON.stringify(value)}.`);
