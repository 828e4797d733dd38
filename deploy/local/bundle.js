import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isFresh, writeStamp } from '../../build-stamp.js';

// Bundles the programs of the local stack into dist/bundle/, so that 2,000 modules need not be loaded one by one. This
// saves a quarter of the CPU time of a start (decision record 0046). Does nothing if no module has changed since the
// last build.
const root = join(import.meta.dirname, '..', '..');
const modules = join(import.meta.dirname, 'dist');
const output = join(modules, 'bundle');
const stamp = join(output, '.built');

/** Packages with native code or with worker scripts of their own, and optional packages of the MongoDB driver. */
const external = [
  /^(?:lmdb|msgpackr|sharp|pino|thread-stream)(?:\/|$)/,
  /^(?:@aws-sdk\/credential-providers|@mongodb-js\/zstd|gcp-metadata|kerberos|mongodb-client-encryption|snappy|socks)$/,
];

/** Makes each module find its files as it does outside the bundle. */
const originalPaths = {
  name: 'original-paths',
  transform(code, id) {
    if (id.startsWith('\0') || !code.includes('import.meta.')) return null;
    const paths = { dirname: dirname(id), filename: id, url: pathToFileURL(id).href };
    return code.replaceAll(/import\.meta\.(dirname|filename|url)\b/g, (_, name) => JSON.stringify(paths[name]));
  },
};

const DAY_MS = 86_400_000;

/** Removes chunks that earlier builds wrote more than a day ago. A running stack may still load later ones. */
async function removeOldChunks(current) {
  for (const name of await readdir(output)) {
    const file = join(output, name);
    if (!current.has(name) && Date.now() - (await stat(file)).mtimeMs > DAY_MS) await rm(file);
  }
}

const startedAt = new Date();
if (!(await isFresh(stamp))) {
  // Imported only for a build, because loading it takes longer than checking the sources.
  const { build } = await import('rolldown');
  const { output: chunks } = await build({
    input: { main: join(modules, 'main.js'), role: join(modules, 'role.js') },
    platform: 'node',
    external,
    plugins: [originalPaths],
    output: {
      dir: output,
      format: 'esm',
      // oidc-provider stores class names.
      keepNames: true,
      comments: false,
      // With a character beyond Latin-1, V8 stores a whole module with two bytes per character.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    },
    checks: { eval: false },
  });
  const own = chunks
    .flatMap(({ moduleIds = [] }) => moduleIds)
    .filter((id) => id.startsWith(root) && !relative(root, id).includes('node_modules'));
  await removeOldChunks(new Set(['.built', ...chunks.map(({ fileName }) => fileName)]));
  await writeStamp(stamp, [...own, import.meta.filename, join(root, 'package-lock.json')], startedAt);
}
