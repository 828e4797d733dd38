// Subprocess that renders one untrusted image from stdin as PNG to stdout. Decoding can take arbitrary time and memory,
// so the parent kills it after a timeout, and it monitors its own memory.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { renderUntrusted, type Kind } from './render-untrusted.js';

const MAX_MEMORY = 400 * 1024 * 1024;
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY) process.exit(1);
}, 10).unref();
sharp.concurrency(1);

process.stdout.write(await renderUntrusted(await buffer(process.stdin), process.argv[2] as Kind));
