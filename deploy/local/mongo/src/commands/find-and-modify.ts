import { type Doc } from '../language/doc.js';
import { fail } from '../language/errors.js';
import { isDocument, type Document } from '../language/values.js';
import type { Reply } from '../wire/replies.js';
import { sufferWrite } from './batch.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { flag } from './fields.js';
import { projectionOf } from './find.js';
import { deleter, targetOf, updater, type Target } from './statements.js';

function check({ body }: Context): void {
  const remove = flag(body, 'remove');
  const wrong = (message: string): never => {
    fail('FailedToParse', message);
  };
  if (remove && body['update'] !== undefined) wrong('Cannot specify both an update and remove=true');
  if (remove && flag(body, 'upsert')) wrong('Cannot specify both upsert=true and remove=true');
  if (remove && flag(body, 'new'))
    wrong("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  if (!remove && !isDocument(body['update']) && !Array.isArray(body['update']))
    wrong('Either an update or remove=true must be specified');
}

function removal(context: Context, target: Target, shown: (doc: Doc | null) => Document | null): () => Document {
  const attempt = deleter(context, target, false);
  return () => {
    const { deleted, before } = attempt();
    return { lastErrorObject: { n: deleted }, value: shown(before) };
  };
}

function modification(context: Context, target: Target, shown: (doc: Doc | null) => Document | null): () => Document {
  const { body } = context;
  const attempt = updater(context, {
    ...target,
    update: body['update'] as Document,
    multi: false,
    upsert: flag(body, 'upsert'),
  });
  return () => {
    const result = attempt();
    const upserted = 'upsertedId' in result;
    const lastErrorObject = {
      n: upserted ? 1 : result.matched,
      updatedExisting: result.matched > 0,
      ...(upserted && { upserted: result.upsertedId }),
    };
    return { lastErrorObject, value: shown(flag(body, 'new') ? result.after : result.before) };
  };
}

export const findAndModify: Command = {
  options: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert', 'hint', 'let'],
  transactional: true,
  write: true,
  retryable: true,
  async run(context: Context): Promise<Reply> {
    check(context);
    const { body } = context;
    const done = context.outcomeOf(0);
    if (done) return { ...done, retriedStmtId: 0, ok: 1 };
    const target = targetOf(context, body, 'query');
    const project = projectionOf(body, 'fields');
    const shown = (doc: Doc | null): Document | null => doc && (project?.(doc.decoded) ?? doc.decoded);
    const attempt = flag(body, 'remove') ? removal(context, target, shown) : modification(context, target, shown);
    const result = await context.unblocked(() => {
      sufferWrite(context);
      const modified = attempt();
      context.recordStatement(0, modified);
      return modified;
    });
    return { ...result, ok: 1 };
  },
};
