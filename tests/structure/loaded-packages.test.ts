import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..', '..');

// Prints the URL of each module that is imported.
const hooks = `
  import { writeSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    writeSync(1, resolved.url + '\\n');
    return resolved;
  }`;

/** Returns those of `packages` that a process loads when it imports only `modules`. */
function loadedBy(modules: string[], packages: string[]): string[] {
  const urls = modules.map((path) => pathToFileURL(join(root, path)).href);
  const script = `
    import { Module, register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
    for (const url of ${JSON.stringify(urls)}) await import(url);
    // Packages that CommonJS modules require.
    console.log(Object.keys(Module._cache).join('\\n'));
    process.exit(0);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return packages.filter((name) => output.includes(`/node_modules/${name}/`));
}

// Each package would delay the start of the process by 30 to 130 ms, and take about 10 MB of memory.
test.each([
  ['the gateway', ['gateway/dist/index.js'], ['mongoose', 'mongodb']],
  ['redirects', ['services/links/dist/index.js', 'services/links/dist/redirects/index.js'], ['@grpc/grpc-js', 'tldts']],
  ['the supervisor', ['deploy/local/dist/stack.js'], ['mongoose', 'mongodb', '@grpc/grpc-js', 'koa']],
  ['the broker', ['deploy/local/dist/roles/broker.js'], ['mongoose', '@grpc/grpc-js']],
  ['idle services', ['deploy/local/dist/roles/services.js'], ['nodemailer', 'stripe']],
])('%s (%j): none of %j is loaded', (_, modules, packages) => {
  expect(loadedBy(modules, packages)).toEqual([]);
});

test('loadedBy returns a package that is loaded', () => {
  expect(loadedBy(['services/qr/dist/index.js'], ['mongodb', 'koa', 'zod'])).toEqual(['mongodb', 'zod']);
});
