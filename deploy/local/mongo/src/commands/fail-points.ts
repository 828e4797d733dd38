import { setTimeout } from 'node:timers/promises';
import { fail, MongoError, refuse } from '../language/errors.js';
import { isDocument, isNumeric, toNumber, type Document } from '../language/values.js';
import type { Client } from './context.js';
import { checkKeys } from './fields.js';

/** Thrown to end the connection that a command came from without an answer. */
export class CloseConnection extends Error {}

/** What an active `failCommand` makes of a command. */
export interface Failure {
  close: boolean;
  blockMs: number;
  error: MongoError | undefined;
  writeConcernError: Document | undefined;
  /** Labels that stand in place of those the error would carry. */
  labels: string[] | undefined;
}

interface Times {
  /** How many times it still acts. */
  times: number;
  /** How many times it first lets pass. */
  skip: number;
  probability: number;
}

interface FailPoint extends Times {
  commands: Set<string>;
  appName: string | undefined;
  failure: Failure;
}

/** The settings of the fail points. */
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

/** What an active `onPrimaryTransactionalWrite` makes of a retryable write: with an error it is not done. */
interface WriteFailure {
  error: MongoError | undefined;
  close: boolean;
}

/** The fault injection of the server's test mode: `configureFailPoint`, with `failCommand` or `onPrimaryTransactionalWrite`. */
export class FailPoints {
  #point: FailPoint | undefined;
  #write: (Times & WriteFailure) | undefined;

  /** Other fail points and settings are refused. */
  configure(name: string, mode: unknown, data: Document): void {
    if (!Object.hasOwn(failPointKeys, name)) refuse(`the fail point '${name}'`);
    checkKeys(data, failPointKeys[name as keyof typeof failPointKeys], name);
    const isOff = mode === 'off';
    if (name === 'onPrimaryTransactionalWrite')
      this.#write = isOff ? undefined : { ...timesOf(mode), ...writeFailureOf(data) };
    else this.#point = isOff ? undefined : { ...timesOf(mode), ...selectionOf(data), failure: failureOf(data) };
  }

  /** Whether the command fails, and how. Counts the command when it does. */
  failureFor(command: string, client: Client): Failure | undefined {
    const point = this.#point;
    if (!point || !point.commands.has(command)) return undefined;
    if (point.appName !== undefined && point.appName !== client.appName) return undefined;
    return acts(point) ? point.failure : undefined;
  }

  /** Whether the retryable write that is about to be done fails, and how. */
  failureForWrite(): WriteFailure | undefined {
    return this.#write && acts(this.#write) ? this.#write : undefined;
  }
}

/** Whether a fail point acts this time; counts it. */
function acts(point: Times): boolean {
  if (point.skip > 0) {
    point.skip -= 1;
    return false;
  }
  if (point.times <= 0 || (point.probability < 1 && Math.random() >= point.probability)) return false;
  point.times -= 1;
  return true;
}

function writeFailureOf(data: Document): WriteFailure {
  const code = data['failBeforeCommitExceptionCode'];
  const error = isNumeric(code) ? new MongoError(toNumber(code), 'onPrimaryTransactionalWrite failpoint') : undefined;
  return { error, close: data['closeConnection'] !== false };
}

function timesOf(mode: unknown): Times {
  if (mode === 'alwaysOn') return { times: Infinity, skip: 0, probability: 1 };
  if (isDocument(mode)) {
    if (isNumeric(mode['times'])) return { times: toNumber(mode['times']), skip: 0, probability: 1 };
    if (isNumeric(mode['skip'])) return { times: Infinity, skip: toNumber(mode['skip']), probability: 1 };
    const probability = mode['activationProbability'];
    if (isNumeric(probability)) return { times: Infinity, skip: 0, probability: toNumber(probability) };
  }
  fail('BadValue', "'mode' must be 'off', 'alwaysOn', {times}, {skip} or {activationProbability}");
}

function selectionOf({ failCommands, appName }: Document): Pick<FailPoint, 'commands' | 'appName'> {
  if (!Array.isArray(failCommands)) fail('BadValue', "failCommand needs 'failCommands', an array of command names");
  return { commands: new Set(failCommands.map(String)), appName: typeof appName === 'string' ? appName : undefined };
}

function failureOf(data: Document): Failure {
  const [code, labels, concern] = [data['errorCode'], data['errorLabels'], data['writeConcernError']];
  return {
    close: data['closeConnection'] === true,
    blockMs: data['blockConnection'] === true ? toNumber(data['blockTimeMS'] ?? 0) : 0,
    error: isNumeric(code) ? new MongoError(toNumber(code), "Failing command via 'failCommand' failpoint") : undefined,
    writeConcernError: isDocument(concern) ? concern : undefined,
    labels: Array.isArray(labels) ? labels.map(String) : undefined,
  };
}

/** Blocks, closes or fails as the failure says; returns when the command is to go on. */
export async function suffer({ close, blockMs, error }: Failure): Promise<void> {
  if (blockMs > 0) await setTimeout(blockMs);
  if (close) throw new CloseConnection();
  if (error) throw error;
}
