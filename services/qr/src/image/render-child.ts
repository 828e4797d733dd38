// Subprocess that renders one untrusted image from stdin as PNG to stdout. Decoding can take arbitrary time and memory,
// so the process monitors both. Beyond a limit, it kills itself, because an exit would wait until the image is decoded.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { renderUntrusted, type Kind } from './render-untrusted.js';

const MAX_MEMORY = 400 * 1024 * 1024;
const [kind, maxCpuMs] = process.argv.slice(2);
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.memoryUsage.rss() > MAX_MEMORY || (user + system) / 1_000 > Number(maxCpuMs))
    process.kill(process.pid, 'SIGKILL');
}, 10).unref();
sharp.concurrency(1);

process.stdout.write(await renderUntrusted(await buffer(process.stdin), kind as Kind));
