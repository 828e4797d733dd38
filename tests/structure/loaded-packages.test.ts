import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..', '..');

/** Returns those of `packages` that a process loads when it imports only `modules`. */
function loadedBy(modules: string[], packages: string[]): string[] {
  const urls = modules.map((path) => pathToFileURL(join(root, path)).href);
  const script = `
    import { Module } from 'node:module';
    for (const url of ${JSON.stringify(urls)}) await import(url);
    console.log(JSON.stringify(Object.keys(Module._cache)));
    process.exit(0);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const files = JSON.parse(output) as string[];
  return packages.filter((name) => files.some((file) => file.includes(`/node_modules/${name}/`)));
}

// Each package would delay the start of the process by 30 to 130 ms, and take about 10 MB of memory. All of them are
// CommonJS, so `Module._cache` contains them when they are loaded.
test.each([
  ['the gateway', ['gateway/dist/index.js'], ['mongoose', 'mongodb']],
  ['redirects', ['services/links/dist/index.js', 'services/links/dist/redirects/index.js'], ['@grpc/grpc-js', 'tldts']],
  ['the supervisor', ['deploy/local/dist/stack.js'], ['mongoose', 'mongodb', '@grpc/grpc-js', 'koa']],
  ['the broker', ['deploy/local/dist/roles/broker.js'], ['mongoose', '@grpc/grpc-js']],
  ['services without mail', ['services/workspaces/dist/index.js'], ['nodemailer']],
])('%s (%j): none of %j is loaded', (_, modules, packages) => {
  expect(loadedBy(modules, packages)).toEqual([]);
});

test('loadedBy returns a package that is loaded', () => {
  expect(loadedBy(['services/qr/dist/index.js'], ['mongoose', 'koa'])).toEqual(['mongoose']);
});
