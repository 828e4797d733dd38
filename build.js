import { spawnSync } from 'node:child_process';

// Builds the packages, the documentation site, the web application and the bundle of the local stack, each only if its
// sources changed. One script builds all of them to save time, because npm start waits for the build.
const compiler = new URL('node_modules/typescript-native/bin/tsc', import.meta.url).pathname;
const { status } = spawnSync(process.execPath, [compiler, '-b'], { cwd: import.meta.dirname, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
await import('./docs/site/dist/main.js');
await import('./web/build.js');
await import('./deploy/local/bundle.js');
