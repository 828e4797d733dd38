// A process of its own, which draws one image of somebody else's: from standard input, as PNG to standard output. Images can be
// made to take any time and memory to decode: whoever started this ends it in time, and it watches its memory.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { drawUnknown, type Kind } from './draw-unknown.js';

const MEMORY_MAX = 400 * 1024 * 1024;
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_MAX) process.exit(1);
}, 10).unref();
sharp.concurrency(1);

process.stdout.write(await drawUnknown(await buffer(process.stdin), process.argv[2] as Kind));
