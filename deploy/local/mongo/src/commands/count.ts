import { fail } from '../language/errors.js';
import { compareValues } from '../language/compare.js';
import { encodeKey } from '../language/key.js';
import { isDocument } from '../language/values.js';
import { newEffort } from '../query/execute.js';
import type { Reply } from '../wire/replies.js';
import { ok, type Command } from './command.js';
import type { Context } from './context.js';
import { count as countField, documentField, optionalNumber, text } from './fields.js';
import { hits, hintOf, search } from './find.js';

/** `count`: with an empty query the number of committed documents, kept as they come and go. */
export const count: Command = {
  options: ['query', 'limit', 'skip'],
  read: true,
  run(context: Context): Reply {
    const { body, ns } = context;
    const query = documentField(body, 'query');
    const limit = Math.abs(optionalNumber(body, 'limit') ?? 0);
    const skip = countField(body, 'skip') ?? 0;
    const found = search(context, ns, query);
    let n = 0;
    if (Object.keys(query).length === 0) n = found.collection?.count ?? 0;
    else for (const _ of hits(context, found, newEffort(context.deadline))) n += 1;
    n = Math.max(0, n - skip);
    return ok({ n: limit > 0 ? Math.min(n, limit) : n });
  },
};

/** The values at a path as `distinct` takes them: the elements of an array each. */
function* valuesAt(value: unknown, path: string[]): Iterable<unknown> {
  const [segment, ...rest] = path;
  if (Array.isArray(value)) {
    if (segment === undefined) yield* value;
    else if (/^\d+$/.test(segment) && Number(segment) < value.length) yield* valuesAt(value[Number(segment)], rest);
    else for (const element of value) if (isDocument(element)) yield* valuesAt(element, path);
  } else if (segment === undefined) {
    if (value !== undefined) yield value;
  } else if (isDocument(value)) yield* valuesAt(value[segment], rest);
}

export const distinct: Command = {
  options: ['key', 'query', 'hint'],
  transactional: true,
  read: true,
  run(context: Context): Reply {
    const { body, ns } = context;
    const key = text(body, 'key');
    if (key === '' || key.includes('\0')) fail('BadValue', "'key' must be a field path");
    const path = key.split('.');
    const found = search(context, ns, documentField(body, 'query'), { hint: hintOf(body) });
    const values = new Map<string, unknown>();
    for (const { doc } of hits(context, found, newEffort(context.deadline))) {
      for (const value of valuesAt(doc.decoded, path)) {
        const id = encodeKey([value]);
        if (!values.has(id)) values.set(id, value);
      }
    }
    return ok({ values: [...values.values()].sort(compareValues) });
  },
};
