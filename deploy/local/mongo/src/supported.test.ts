import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { concernKeys } from './commands/concerns.js';
import { cursorKeys } from './commands/cursors.js';
import { indexSpecKeys } from './commands/definitions.js';
import { genericOptions } from './commands/dispatch.js';
import { failPointKeys } from './commands/fail-points.js';
import { indexChangeKeys } from './commands/indexes.js';
import { commands } from './commands/table.js';
import { deleteKeys, updateKeys } from './commands/writes.js';
import { DirectEngine } from './engine.test.fixtures.js';
import { EXPRESSIONS } from './language/expression.js';
import { FIELD_OPERATORS, FILTER_OPERATORS } from './language/filter.js';
import { DOCUMENT_STAGES, STAGES } from './language/pipeline.js';
import { MODIFIERS } from './language/update/modifier.js';
import { TYPE, type Document } from './language/values.js';

/** The features in the engine's tables, keyed by the first column of the README's tables. */
const supported: Record<string, readonly string[]> = {
  'query operators': Object.keys({ ...FIELD_OPERATORS, ...FILTER_OPERATORS }),
  'update operators': Object.keys(MODIFIERS),
  'stages of an update': Object.keys(DOCUMENT_STAGES),
  'stages of an aggregation': Object.keys(STAGES),
  accumulators: ['$sum'],
  expressions: Object.keys(EXPRESSIONS),
  'BSON types': Object.keys(TYPE).filter((name) => name !== 'missing' && name !== 'regex'),
  'every command': genericOptions,
  ...Object.fromEntries(Object.entries(commands).map(([name, { options }]) => [`\`${name}\``, options ?? []])),
  '`cursor`': cursorKeys,
  '`readConcern`': concernKeys.readConcern,
  '`writeConcern`': concernKeys.writeConcern,
  '`collMod.index`': indexChangeKeys,
  '`createIndexes.indexes`': indexSpecKeys,
  '`delete.deletes`': deleteKeys,
  '`update.updates`': updateKeys,
  '`failCommand`': failPointKeys.failCommand,
  '`onPrimaryTransactionalWrite`': failPointKeys.onPrimaryTransactionalWrite,
};

/** The rows of the README's tables of supported features. */
function documented(): Record<string, string[]> {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const section = readme.split('<!-- supported -->')[1]!;
  const rows = section.split('\n').filter((line) => /^\| \S/.test(line) && !line.startsWith('| ---'));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const features = cells.filter(([, , names]) => names !== 'supported' && names !== 'options');
  return Object.fromEntries(
    features.map(([, title, names]) => [title!, [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)]),
  );
}

test('the README lists exactly the supported features', () => {
  const sorted = (lists: Record<string, readonly string[]>) =>
    Object.fromEntries(Object.entries(lists).map(([title, names]) => [title, names.toSorted()]));
  expect(sorted(documented())).toEqual(sorted(supported));
});

/** Features of MongoDB that the engine does not support. */
const unsupported = {
  'query operators':
    '$expr $nor $not $elemMatch $size $mod $bitsAllSet $bitsAnyClear $where $text $jsonSchema $comment $near $geoWithin $alwaysTrue $sampleRate',
  'update operators': '$rename $mul $bit $currentDate $addToSet $pop $pullAll $pushAll',
  'stages of an aggregation':
    '$bucket $changeStream $collStats $currentOp $densify $documents $facet $fill $geoNear $graphLookup $indexStats $listSessions $lookup $merge $out $redact $sample $search $setWindowFields $sortByCount $unionWith $unset $unwind',
  accumulators: '$avg $first $last $push $addToSet $min $max $count $mergeObjects $top $stdDevPop $accumulator',
  expressions:
    '$eq $add $and $arrayToObject $cond $concat $convert $dateToString $divide $filter $function $gt $ifNull $in $let $map $mergeObjects $ne $not $or $rand $reduce $regexMatch $size $substr $sum $switch $toString $year $zip',
  'projection operators': '$slice $elemMatch $meta',
  commands:
    'bulkWrite collStats connectionStatus createUser currentOp dbStats eval getLog isMaster killSessions mapReduce refreshSessions renameCollection replSetGetStatus setParameter startSession whatsmyuri',
  find: 'let apiVersion apiStrict collation min max returnKey showRecordId tailable awaitData noCursorTimeout allowPartialResults',
  aggregate: 'let collation explain bypassDocumentValidation',
  count: 'collation hint fields',
  create: 'capped size timeseries viewOn pipeline clusteredIndex expireAfterSeconds validator collation storageEngine',
  collMod: 'validator validationLevel validationAction changeStreamPreAndPostImages viewOn',
  createIndexes: 'commitQuorum ignoreUnknownIndexOptions',
  findAndModify: 'let arrayFilters collation bypassDocumentValidation',
  insert: 'stmtId stmtIds',
};

type Refusal = (name: string) => { command: Document; feature: string };

const option =
  (command: string): Refusal =>
  (name) => ({ command: { [command]: 'c', [name]: 1 }, feature: `the option '${name}' of ${command}` });
const stage = (each: Document): Document => ({ aggregate: 'c', pipeline: [each], cursor: {} });

const refusals: Record<keyof typeof unsupported, Refusal> = {
  'query operators': (name) => ({
    command: { find: 'c', filter: { $or: [{ a: { [name]: 1 } }] } },
    feature: `the query operator ${name}`,
  }),
  'update operators': (name) => ({
    command: { findAndModify: 'c', update: { [name]: { a: 1 } } },
    feature: `the update operator ${name}`,
  }),
  'stages of an aggregation': (name) => ({ command: stage({ [name]: {} }), feature: `the stage ${name}` }),
  accumulators: (name) => ({
    command: stage({ $group: { _id: 1, a: { [name]: 1 } } }),
    feature: `the accumulator ${name}`,
  }),
  expressions: (name) => ({ command: stage({ $set: { a: { [name]: 1 } } }), feature: `the expression ${name}` }),
  'projection operators': (name) => ({
    command: { find: 'c', projection: { a: { [name]: 1 } } },
    feature: `the projection ${name} of 'a'`,
  }),
  commands: (name) => ({ command: { [name]: 1 }, feature: `the command '${name}'` }),
  find: option('find'),
  aggregate: option('aggregate'),
  count: option('count'),
  create: option('create'),
  collMod: option('collMod'),
  createIndexes: option('createIndexes'),
  findAndModify: option('findAndModify'),
  insert: option('insert'),
};

describe('unsupported features are refused with an error that names them:', () => {
  let direct: DirectEngine;
  beforeAll(async () => {
    direct = await DirectEngine.open(await mkdtemp(join(tmpdir(), 'mongo-supported-')));
  });
  afterAll(async () => {
    await direct.close();
    await rm(direct.dataDir, { recursive: true });
  });

  const cases = Object.entries(unsupported).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [kind as keyof typeof unsupported, name] as const),
  );
  test.each(cases)('%s: %s', async (kind, name) => {
    const { command, feature } = refusals[kind](name);
    const code = kind === 'commands' ? 59 : 115;
    expect(await direct.run(command)).toMatchObject({
      ok: 0,
      code,
      errmsg: `${feature} is not supported by this engine`,
    });
  });

  test('a top-level query operator', async () => {
    const errmsg = 'the query operator $where is not supported by this engine';
    expect(await direct.run({ find: 'c', filter: { $where: 'true' } })).toMatchObject({ code: 115, errmsg });
  });

  test.each(Object.keys(commands))('an option of %s', async (name) => {
    const errmsg = `the option 'optionFromTheFuture' of ${name} is not supported by this engine`;
    expect(await direct.run({ [name]: 1, $db: 'admin', optionFromTheFuture: 1 })).toMatchObject({ code: 115, errmsg });
  });
});
