const comparable = (value: unknown): string => JSON.stringify(typeof value === 'string' ? value.trim() : value);

/** The values with which a form of a record was loaded. */
export type LoadedFields<T> = { [Name in keyof T]?: unknown };

/**
 * Returns the values of a form that differ from those with which the form was loaded. Saving only these preserves what
 * others have changed since.
 */
export const changedFields = <T extends object>(values: T, loaded: LoadedFields<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => comparable(value) !== comparable(loaded[name as keyof T])),
  ) as Partial<T>;
