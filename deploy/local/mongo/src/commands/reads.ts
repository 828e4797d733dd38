import { compareValues } from '../language/compare.js';
import { Doc } from '../language/doc.js';
import { fail } from '../language/errors.js';
import { encodeValue } from '../language/key.js';
import { valueAt } from '../language/path.js';
import { compilePipeline, mapped } from '../language/pipeline.js';
import { newDocument } from '../language/values.js';
import { newQueryCost } from '../query/execute.js';
import { ok, type CommandTable } from './command.js';
import { batchSizeOf, firstBatch } from './cursors.js';
import {
  count as countField,
  documentField,
  documents,
  flag,
  optionalDocument,
  optionalNumber,
  text,
} from './fields.js';
import { hits, planSearch, searchOptions } from './find.js';

export const readCommands: CommandTable = {
  aggregate: {
    options: ['pipeline', 'cursor', 'allowDiskUse', 'hint'],
    transactional: true,
    read: true,
    // None of the supported stages writes. Drivers still send a write concern with stages such as `$out`, and the error
    // must name the unsupported stage, not the write concern.
    write: true,
    run(context) {
      const { body } = context;
      flag(body, 'allowDiskUse');
      if (!optionalDocument(body, 'cursor')) fail('FailedToParse', "The 'cursor' option is required");
      const { filter, reads, run } = compilePipeline(documents(body, 'pipeline'));
      const { ns } = context;
      const search = planSearch(context, ns, filter, searchOptions(body));
      const cost = newQueryCost(context.deadline);
      const nothing = newDocument();
      const source = mapped(hits(context, search, cost), ({ doc }) => (reads ? doc.decoded : nothing));
      const results = mapped(run(source), (result) => Doc.of(result).raw);
      return firstBatch(context, ns, results, cost, { batchSize: batchSizeOf(body) });
    },
  },

  count: {
    options: ['query', 'limit', 'skip'],
    read: true,
    run(context) {
      const { body, ns } = context;
      const query = documentField(body, 'query');
      const limit = Math.abs(optionalNumber(body, 'limit') ?? 0) || Infinity;
      const search = planSearch(context, ns, query);
      let n = 0;
      if (Object.keys(query).length === 0) n = search.collection?.count ?? 0;
      else for (const _ of hits(context, search, newQueryCost(context.deadline))) n += 1;
      return ok({ n: Math.min(Math.max(0, n - (countField(body, 'skip') ?? 0)), limit) });
    },
  },

  distinct: {
    options: ['key', 'query', 'hint'],
    transactional: true,
    read: true,
    run(context) {
      const { body, ns } = context;
      const key = text(body, 'key');
      if (key === '' || key.includes('\0')) fail('BadValue', "'key' must be a field path");
      const path = key.split('.');
      const search = planSearch(context, ns, documentField(body, 'query'), searchOptions(body));
      const values = new Map<string, unknown>();
      for (const { doc } of hits(context, search, newQueryCost(context.deadline))) {
        // The elements of an array are separate values.
        for (const value of [valueAt(doc.decoded, path)].flat(1)) {
          const id = encodeValue(value);
          if (value !== undefined && !values.has(id)) values.set(id, value);
        }
      }
      return ok({ values: [...values.values()].sort(compareValues) });
    },
  },
};
