import type { Engine } from '../engine.js';
import { MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { ok, type Command } from './command.js';
import { optionalNumber } from './fields.js';

interface Parameter {
  get(engine: Engine): number;
  /** Throws BadValue if the value is out of range. */
  set(engine: Engine, value: number): void;
}

/** The parameters that `setParameter` changes. */
const parameters: Readonly<Record<string, Parameter>> = {
  transactionLifetimeLimitSeconds: {
    get: ({ sessions }) => sessions.transactionLifetimeLimitSeconds,
    set: ({ sessions }, seconds) => (sessions.transactionLifetimeLimitSeconds = seconds),
  },
  ttlMonitorSleepSecs: {
    get: ({ ttl }) => ttl.seconds,
    set({ ttl }, seconds) {
      if (!(seconds > 0)) throw new MongoError('BadValue', 'ttlMonitorSleepSecs must be greater than 0');
      ttl.setSeconds(seconds);
    },
  },
};

const names = Object.keys(parameters);

export const getParameter: Command = {
  options: ['featureCompatibilityVersion', 'allParameters', ...names],
  admin: true,
  run({ body, engine }) {
    const all: Document = { featureCompatibilityVersion: { version: '8.0' } };
    for (const name of names) all[name] = parameters[name]!.get(engine);
    const found = Object.fromEntries(
      Object.entries(all).filter(([name]) => body['getParameter'] === '*' || body[name] !== undefined),
    );
    if (Object.keys(found).length === 0) throw new MongoError('InvalidOptions', 'no option found to get');
    return ok(found);
  },
};

/** Changes one parameter and returns its previous value. */
export const setParameter: Command = {
  options: names,
  admin: true,
  run({ body, engine }) {
    const [name, ...others] = names.filter((each) => body[each] !== undefined);
    if (name === undefined || others.length > 0)
      throw new MongoError('InvalidOptions', 'setParameter needs exactly one parameter to set');
    const parameter = parameters[name]!;
    const was = parameter.get(engine);
    parameter.set(engine, optionalNumber(body, name) ?? Number.NaN);
    return ok({ was });
  },
};
