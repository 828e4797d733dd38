import type { Doc } from '../language/doc.js';
import { fail } from '../language/errors.js';
import type { Document } from '../language/values.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { flag } from './fields.js';
import { projectionOf } from './find.js';
import { deleter, targetOf, updater } from './statements.js';

type Shown = (doc: Doc | null) => Document | null;

function removal(context: Context, shown: Shown): () => Document {
  const { body } = context;
  for (const other of ['update', 'upsert', 'new'])
    if (body[other] !== undefined && body[other] !== false)
      fail('FailedToParse', `Cannot specify both ${other} and remove=true`);
  const attempt = deleter(context, targetOf(context, body, 'query'));
  return () => {
    const { deleted, before } = attempt();
    return { lastErrorObject: { n: deleted }, value: shown(before) };
  };
}

function modification(context: Context, shown: Shown): () => Document {
  const { body } = context;
  const returnsNew = flag(body, 'new');
  const attempt = updater(context, targetOf(context, body, 'query'), body, 'update');
  return () => {
    const { matched, before, after, ...rest } = attempt();
    const isUpserted = 'upsertedId' in rest;
    const lastErrorObject = {
      n: isUpserted ? 1 : matched,
      updatedExisting: matched > 0,
      ...(isUpserted && { upserted: rest.upsertedId }),
    };
    return { lastErrorObject, value: shown(returnsNew ? after : before) };
  };
}

export const findAndModify: Command = {
  options: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert', 'hint'],
  transactional: true,
  write: true,
  retryable: true,
  async run(context) {
    const { body } = context;
    const project = projectionOf(body, 'fields');
    const shown: Shown = (doc) => doc && (project?.(doc.decoded) ?? doc.decoded);
    const attempt = flag(body, 'remove') ? removal(context, shown) : modification(context, shown);
    const done = context.outcomeOf(0);
    if (done) return { ...done, retriedStmtId: 0, ok: 1 };
    const result = await context.unblocked(() => {
      context.failWrite();
      const outcome = attempt();
      context.recordStatement(0, outcome);
      return outcome;
    });
    return { ...result, ok: 1 };
  },
};
