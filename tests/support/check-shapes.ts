import { declaredRules, describeProblems, readShapes, shardingProblems } from './command-shapes.js';

// Checks the commands recorded by test runs: `npm run check:shards -- <folder>`.
const folder = process.argv[2] ?? '';
const shapes = await readShapes(folder);
const rules = declaredRules();
const problems = shardingProblems(shapes, rules);
const sharded = shapes.filter(({ app, collection }) => rules.get(app)?.keys.has(collection));
const exceptions = [...rules].flatMap(([app, { broadcastQueries }]) =>
  Object.keys(broadcastQueries).map((label) => `${app}  ${label}`),
);
if (problems.length > 0) process.stderr.write(`${describeProblems(problems)}\n`);
else if (sharded.length === 0)
  process.stderr.write(
    `${folder} has no command on a sharded collection. Run the end-to-end suites with COMMAND_SHAPES_DIR=<folder> first.\n`,
  );
else
  process.stdout.write(
    `${shapes.length} command shapes, ${sharded.length} of them on sharded collections: each names the shard key, or is one of ${exceptions.length} exceptions.\n`,
  );
process.exitCode = problems.length > 0 || sharded.length === 0 ? 1 : 0;
