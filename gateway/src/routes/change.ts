type Change = { tags?: string[] | null | undefined; [field: string]: unknown };

/** A change as the services take it: fields that are set, tags as a list that can be absent, names of fields to unset. */
export function changeOf<C extends Change>({ tags, ...fields }: C) {
  const entries = Object.entries({ ...fields, tags });
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [F in keyof typeof fields]: Exclude<(typeof fields)[F], null>;
  };
  const clear = entries.filter(([, value]) => value === null).map(([name]) => name);
  return { ...set, ...(tags && { tags: { names: tags } }), clear };
}
