import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { isFresh, writeStamp } from '../build-stamp.js';

// Builds the application into dist/app, with compressed copies of its files. Does nothing if no source has changed
// since the last build.
const root = import.meta.dirname;
const output = join(root, 'dist', 'app');
const stamp = join(output, '.built');
const sources = ['src', 'public', 'index.html', 'package.json', 'vite.config.js', 'build.js', '../sdk/dist'];
const COMPRESSIBLE = /\.(?:html|js|css|svg)$/;

async function filesIn(path) {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const isSource = (file) => !/\.test\.tsx?$|\.d\.ts$|\.map$|\.tsbuildinfo$/.test(file);

async function sourceFiles() {
  const files = await Promise.all(sources.map((source) => filesIn(join(root, source))));
  return files.flat().filter(isSource).toSorted();
}

async function compress(file) {
  const content = await readFile(file);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}

const startedAt = new Date();
const files = await sourceFiles();
if (!(await isFresh(stamp, files))) {
  // Imported only for a build, because loading Vite takes longer than checking the sources.
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
  await Promise.all((await filesIn(output)).filter((file) => COMPRESSIBLE.test(file)).map(compress));
  await writeStamp(stamp, files, startedAt);
}
