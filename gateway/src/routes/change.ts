type Change = { tags?: string[] | null | undefined; [field: string]: unknown };

/** Returns a change for the services: fields to set, the list of tags if it changes, and names of fields to clear. */
export function changeOf<C extends Change>({ tags, ...fields }: C) {
  const entries = Object.entries({ ...fields, tags });
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [F in keyof typeof fields]: Exclude<(typeof fields)[F], null>;
  };
  const clear = entries.filter(([, value]) => value === null).map(([name]) => name);
  return { ...set, ...(tags && { tags: { names: tags } }), clear };
}
