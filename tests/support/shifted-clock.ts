import { readFileSync } from 'node:fs';
import { argv, env } from 'node:process';

// Loaded before a process's own code (`--import`). The clock of a process whose first argument equals CLOCK_OF is ahead
// by the number of milliseconds that the file at CLOCK_FILE contains. Timers are not affected.
const POLL_MS = 10;

const RealDate = Date;
let ahead = 0;
const now = (): number => RealDate.now() + ahead;

if (argv[2] === env['CLOCK_OF']) {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, fields: [], newTarget) =>
      Reflect.construct(target, fields.length > 0 ? fields : [now()], newTarget) as Date,
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)) as unknown,
  });
  setInterval(() => (ahead = Number(readFileSync(env['CLOCK_FILE']!, 'utf8'))), POLL_MS).unref();
}
