import { monthOf, startOfMonth } from '@tautan/plans/usage';
import { environment, readLinksConfig } from '../config.js';
import { start } from '../main.js';

// A replica of the service whose clock starts one minute into the month that is `MONTHS` months ahead; with 0, its
// clock is not changed. A message `{ months }` sets the clock again, and is answered with `set`.

const RealDate = Date;
let offset = 0;
const now = (): number => RealDate.now() + offset;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, fields: [], newTarget) =>
    Reflect.construct(target, fields.length > 0 ? fields : [now()], newTarget) as Date,
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)) as unknown,
});

const setMonth = (months: number): void => {
  offset = months === 0 ? 0 : startOfMonth(monthOf(new RealDate()), months).getTime() - RealDate.now() + 60_000;
};

setMonth(Number(environment['MONTHS']));
await start(readLinksConfig(environment));
process.on('message', ({ months }: { months: number }) => {
  setMonth(months);
  process.send!('set');
});
process.send!('started');
