import { readFileSync } from 'node:fs';
import { argv, env } from 'node:process';

// Loaded before a process's own code (`--import`): the process named in CLOCK_OF goes by a clock that runs ahead by as many
// milliseconds as the file CLOCK_FILE says. Timers are as they were.
const LOOK_MS = 10;

const RealDate = Date;
let ahead = 0;
const now = (): number => RealDate.now() + ahead;

if (argv[2] === env['CLOCK_OF']) {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, fields: [], made) =>
      Reflect.construct(target, fields.length > 0 ? fields : [now()], made) as Date,
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)) as unknown,
  });
  setInterval(() => (ahead = Number(readFileSync(env['CLOCK_FILE']!, 'utf8'))), LOOK_MS).unref();
}
