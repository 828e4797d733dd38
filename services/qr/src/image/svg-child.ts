// A process of its own, which draws one SVG document of somebody else's: from standard input, as PNG to standard output.
// Documents can be made to take any time and memory to draw: whoever started this ends it in time, and it watches its memory.
import { buffer } from 'node:stream/consumers';
import { drawUnknown } from './draw-unknown.js';

const MEMORY_MAX = 400 * 1024 * 1024;
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_MAX) process.exit(1);
}, 10).unref();

process.stdout.write(await drawUnknown(await buffer(process.stdin), 'svg'));
