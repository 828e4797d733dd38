import { setTimeout } from 'node:timers/promises';
import { MongoError } from '../language/errors.js';
import { isDocument, isNumeric, toNumber, type Document } from '../language/values.js';
import type { Client } from './context.js';

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
  namespace: string | undefined;
  failure: Failure;
}

const knownData = new Set([
  'failCommands',
  'errorCode',
  'errorLabels',
  'closeConnection',
  'writeConcernError',
  'blockConnection',
  'blockTimeMS',
  'appName',
  'namespace',
  'failInternalCommands',
  'errorExtraInfo',
]);

/** What an active `onPrimaryTransactionalWrite` makes of a retryable write: with an error it is not done. */
interface WriteFailure {
  error: MongoError | undefined;
  close: boolean;
}

/** The fault injection of the server's test mode: `configureFailPoint`, with `failCommand` or `onPrimaryTransactionalWrite`. */
export class FailPoints {
  #point: FailPoint | undefined;
  #write: (Times & WriteFailure) | undefined;

  /** Error 115 for any other fail point, and for settings that are not known. */
  configure(name: string, mode: unknown, data: Document): void {
    if (name === 'onPrimaryTransactionalWrite') {
      this.#write = mode === 'off' ? undefined : { ...timesOf(mode), ...writeFailureOf(data) };
      return;
    }
    if (name !== 'failCommand')
      throw new MongoError('CommandNotSupported', `the fail point '${name}' is not supported by this engine`);
    for (const key of Object.keys(data)) {
      if (!knownData.has(key))
        throw new MongoError('CommandNotSupported', `'${key}' of failCommand is not supported by this engine`);
    }
    this.#point = mode === 'off' ? undefined : { ...timesOf(mode), ...selectionOf(data), failure: failureOf(data) };
  }

  /** Whether the command fails, and how. Counts the command when it does. */
  failureFor(command: string, ns: string | undefined, client: Client): Failure | undefined {
    const point = this.#point;
    if (!point || !point.commands.has(command)) return undefined;
    if (point.appName !== undefined && point.appName !== client.appName) return undefined;
    if (point.namespace !== undefined && point.namespace !== ns) return undefined;
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
  for (const key of Object.keys(data)) {
    if (key !== 'failBeforeCommitExceptionCode' && key !== 'closeConnection')
      throw new MongoError(
        'CommandNotSupported',
        `'${key}' of onPrimaryTransactionalWrite is not supported by this engine`,
      );
  }
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
  throw new MongoError('BadValue', "'mode' must be 'off', 'alwaysOn', {times}, {skip} or {activationProbability}");
}

function selectionOf(data: Document): Pick<FailPoint, 'commands' | 'appName' | 'namespace'> {
  const commands = data['failCommands'];
  if (!Array.isArray(commands))
    throw new MongoError('BadValue', "failCommand needs 'failCommands', an array of command names");
  const [appName, namespace] = [data['appName'], data['namespace']];
  return {
    commands: new Set(commands.map(String)),
    appName: typeof appName === 'string' ? appName : undefined,
    namespace: typeof namespace === 'string' ? namespace : undefined,
  };
}

function failureOf(data: Document): Failure {
  const [code, labels, concern] = [data['errorCode'], data['errorLabels'], data['writeConcernError']];
  const extra = isDocument(data['errorExtraInfo']) ? data['errorExtraInfo'] : {};
  return {
    close: data['closeConnection'] === true,
    blockMs: data['blockConnection'] === true ? toNumber(data['blockTimeMS'] ?? 0) : 0,
    error: isNumeric(code)
      ? new MongoError(toNumber(code), "Failing command via 'failCommand' failpoint", extra)
      : undefined,
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
