import { argv, env } from 'node:process';

// Preloaded with `--import` into every process of a stack. Only the process `engine`, the embedded database, records
// the shapes of the commands that it receives, in the folder COMMAND_SHAPES_DIR.
const folder = env['COMMAND_SHAPES_DIR'];
if (folder && argv[2] === 'engine') (await import('./shape-recorder.js')).recordShapes(folder);
