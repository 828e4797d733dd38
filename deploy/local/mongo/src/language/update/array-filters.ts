import { fail } from '../errors.js';
import { compileFilter } from '../filter.js';
import type { Variables } from '../expression.js';
import { type Document, documentOf, isDocument } from '../values.js';

export type ArrayFilters = Map<string, (element: unknown) => boolean>;

/** The identifier of a part of a path such as `$[id]`; undefined for other parts. */
export const identifierIn = (part: string): string | undefined =>
  part.startsWith('$[') && part.endsWith(']') ? part.slice(2, -1) : undefined;

/** Compiles `arrayFilters`: each constrains one identifier, and each must be used by a path of the update. */
export function compileArrayFilters(
  filters: readonly Document[],
  changes: readonly { path: string; parts: string[] }[],
  variables?: Variables,
): ArrayFilters {
  const compiled: ArrayFilters = new Map();
  for (const filter of filters) {
    const identifier = identifierOf(filter);
    if (compiled.has(identifier))
      fail('FailedToParse', `Found multiple array filters with the same top-level field name ${identifier}`);
    const { matches } = compileFilter(filter, variables);
    compiled.set(identifier, (element) => matches(documentOf({ [identifier]: element })));
  }
  const used = new Set<string>();
  for (const { path, parts } of changes) {
    for (const identifier of parts.map(identifierIn)) {
      if (identifier === undefined) continue;
      if (!compiled.has(identifier))
        fail('BadValue', `No array filter found for identifier '${identifier}' in path '${path}'`);
      used.add(identifier);
    }
  }
  const unused = [...compiled.keys()].find((identifier) => !used.has(identifier));
  if (unused !== undefined)
    fail('FailedToParse', `The array filter for identifier '${unused}' was not used in the update`);
  return compiled;
}

function identifierOf(filter: Document): string {
  const [identifier, ...others] = new Set(rootsOf(filter));
  if (identifier === undefined)
    return fail('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters');
  if (others.length > 0) {
    fail(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${identifier}' and '${others[0]}'`,
    );
  }
  if (!/^[a-z][a-zA-Z0-9]*$/.test(identifier)) {
    fail(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
    );
  }
  return identifier;
}

function rootsOf(filter: unknown): string[] {
  if (!isDocument(filter)) return [];
  return Object.entries(filter).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0]!];
    return Array.isArray(value) ? value.flatMap(rootsOf) : [];
  });
}
