import { setTimeout } from 'node:timers/promises';
import { fail, MongoError, unsupported } from '../language/errors.js';
import { isDocument, isNumeric, toNumber, type Document } from '../language/values.js';
import type { Client } from './context.js';
import { checkKeys } from './fields.js';

/** Thrown to close the client's connection without a reply. */
export class CloseConnection extends Error {}

/** The effect of an active `failCommand` on a command. */
export interface Failure {
  close: boolean;
  blockMs: number;
  error: MongoError | undefined;
  writeConcernError: Document | undefined;
  /** Labels that replace those of the error. */
  labels: string[] | undefined;
}

/** The effect of an active `onPrimaryTransactionalWrite` on a retryable write. An `error` prevents the write. */
type WriteFailure = Pick<Failure, 'close' | 'error'>;

/** Which commands or writes a fail point affects. `skip` and `times` are counted down. */
interface Activation {
  /** How many run normally first. */
  skip: number;
  /** The maximum number that fail afterwards. */
  times: number;
  /** The probability that a command or write fails after the skipped ones, until `times` have failed. */
  probability: number;
}

interface FailPoint extends Activation {
  commands: Set<string>;
  appName: unknown;
  failure: Failure;
}

export const failPointKeys = {
  failCommand: [
    'failCommands',
    'errorCode',
    'errorLabels',
    'closeConnection',
    'writeConcernError',
    'blockConnection',
    'blockTimeMS',
    'appName',
  ],
  onPrimaryTransactionalWrite: ['failBeforeCommitExceptionCode', 'closeConnection'],
} as const;

/**
 * Fault injection as in the server's test mode: `configureFailPoint` with `failCommand` or
 * `onPrimaryTransactionalWrite`.
 */
export class FailPoints {
  #point: FailPoint | undefined;
  #write: (Activation & WriteFailure) | undefined;

  configure(name: string, mode: unknown, data: Document): void {
    if (!Object.hasOwn(failPointKeys, name)) unsupported(`the fail point '${name}'`);
    checkKeys(data, failPointKeys[name as keyof typeof failPointKeys], name);
    const activation = mode === 'off' ? undefined : activationOf(mode);
    if (name === 'failCommand') this.#point = activation && { ...activation, ...failPointOf(data) };
    else this.#write = activation && { ...activation, ...writeFailureOf(data) };
  }

  /** Counts the command. Returns its failure, or undefined if it runs normally. */
  failureFor(command: string, client: Client): Failure | undefined {
    const point = this.#point;
    if (!point?.commands.has(command) || (point.appName ?? client.appName) !== client.appName) return undefined;
    return countsAsFailure(point) ? point.failure : undefined;
  }

  /** Counts a retryable write. Returns its failure, or undefined if it runs normally. */
  failureForWrite(): WriteFailure | undefined {
    return this.#write && countsAsFailure(this.#write) ? this.#write : undefined;
  }
}

/** Counts a command or write. Returns whether it fails. */
function countsAsFailure(point: Activation): boolean {
  point.skip -= 1;
  return point.skip < 0 && Math.random() < point.probability && (point.times -= 1) >= 0;
}

function activationOf(mode: unknown): Activation {
  const always = { times: Infinity, skip: 0, probability: 1 };
  if (mode === 'alwaysOn') return always;
  const { times, skip, activationProbability } = isDocument(mode) ? mode : {};
  if (isNumeric(times)) return { ...always, times: toNumber(times) };
  if (isNumeric(skip)) return { ...always, skip: toNumber(skip) };
  if (isNumeric(activationProbability)) return { ...always, probability: toNumber(activationProbability) };
  return fail('BadValue', "'mode' must be 'off', 'alwaysOn', {times}, {skip} or {activationProbability}");
}

function failPointOf(data: Document): Omit<FailPoint, keyof Activation> {
  const { failCommands, errorLabels, writeConcernError: concern } = data;
  if (!Array.isArray(failCommands)) fail('BadValue', "failCommand needs 'failCommands', an array of command names");
  const failure = {
    close: data['closeConnection'] === true,
    blockMs: data['blockConnection'] === true ? toNumber(data['blockTimeMS'] ?? 0) : 0,
    error: errorOf(data['errorCode']),
    writeConcernError: isDocument(concern) ? concern : undefined,
    labels: Array.isArray(errorLabels) ? errorLabels.map(String) : undefined,
  };
  return { commands: new Set(failCommands.map(String)), appName: data['appName'], failure };
}

const writeFailureOf = (data: Document): WriteFailure => ({
  error: errorOf(data['failBeforeCommitExceptionCode']),
  close: data['closeConnection'] !== false,
});

const errorOf = (code: unknown): MongoError | undefined =>
  isNumeric(code) ? new MongoError(toNumber(code), 'Failing command via failpoint') : undefined;

/** Blocks, closes the connection or throws before a command runs. */
export async function failBefore({ close, blockMs, error }: Failure): Promise<void> {
  if (blockMs > 0) await setTimeout(blockMs);
  if (close) throw new CloseConnection();
  if (error) throw error;
}
