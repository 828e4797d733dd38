import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { basename, join } from 'node:path';

/** Loaded before a program (`--import`). Writes its CPU profile to the folder BENCH_PROFILE on exit. */
const folder = process.env['BENCH_PROFILE']!;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
process.on('exit', () => {
  session.post('Profiler.stop', (_error, { profile }) => {
    const name = [basename(process.argv[1] ?? 'node'), ...process.argv.slice(2), process.env['ROLES'], process.pid];
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name.filter(Boolean).join('-')}.cpuprofile`), JSON.stringify(profile));
  });
});
