import { argv, env } from 'node:process';

// Preloaded with `--import` into every process of a stack. The process `engine` records the shapes of the commands that it
// receives in COMMAND_SHAPES_DIR.
const folder = env['COMMAND_SHAPES_DIR'];
if (folder && argv[2] === 'engine') (await import('./shape-recorder.js')).recordShapes(folder);
