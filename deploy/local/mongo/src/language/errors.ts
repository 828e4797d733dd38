import { EJSON } from 'bson';
import type { Document } from './values.js';

/** The server's error codes that this engine can answer with, by name. */
export const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  WriteConcernFailed: 64,
  ImmutableField: 66,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CannotIndexParallelArrays: 171,
  UnknownReplWriteConcern: 79,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  CommandNotSupported: 115,
  ConflictingOperationInProgress: 117,
  InvalidIndexSpecificationOption: 197,
  NoSuchTransaction: 251,
  TransactionTooOld: 225,
  TransactionCommitted: 256,
  TransactionTooLarge: 257,
  OperationNotSupportedInTransaction: 263,
  SnapshotUnavailable: 246,
  ClientDisconnect: 279,
  OutOfDiskSpace: 14031,
  DataCorruptionDetected: 366,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  BSONObjectTooLarge: 10334,
  NotWritablePrimary: 10107,
  InterruptedAtShutdown: 11600,
  Interrupted: 11601,
  DuplicateKey: 11000,
  HostUnreachable: 6,
  InvalidBSON: 22,
  LockTimeout: 24,
  NetworkTimeout: 89,
  ShutdownInProgress: 91,
  ReadConcernMajorityNotAvailableYet: 134,
  PrimarySteppedDown: 189,
  ExceededTimeLimit: 262,
  PreparedTransactionInProgress: 267,
  SocketException: 9001,
  InterruptedDueToReplStateChange: 11602,
  NotPrimaryNoSecondaryOk: 13435,
  NotPrimaryOrSecondary: 13436,
} as const;

const NAMES = new Map<number, string>(Object.entries(CODES).map(([name, code]) => [code, name]));

export type CodeName = keyof typeof CODES;

/** What a command failed with, in the terms of the server's reply: `code`, `codeName`, `errmsg`, labels, more fields. */
export class MongoError extends Error {
  readonly code: number;
  readonly codeName: string;
  errorLabels?: string[];
  /** Further fields of the reply, such as `keyPattern` and `keyValue` of a duplicate key. */
  extra?: Document;

  constructor(code: CodeName | number, message: string, extra?: Document) {
    super(message);
    this.name = 'MongoError';
    this.code = typeof code === 'number' ? code : CODES[code];
    // The server names an error without a symbol after its number.
    this.codeName = NAMES.get(this.code) ?? `Location${this.code}`;
    if (extra) this.extra = extra;
  }
}

/** Throws what the server would: a named code, or the number of an unnamed assertion (`Location40323`). */
export function fail(code: CodeName | number, message: string): never {
  throw new MongoError(code, message);
}

/** Refuses what this engine does not do, naming it, so that nothing is ever ignored or answered wrongly. */
export function refuse(what: string): never {
  throw new MongoError('CommandNotSupported', `${what} is not supported by this engine`);
}

/** A value for an error message, close to how the server prints it, and bounded. */
export function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : printed(value);
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

function printed(value: unknown): string {
  try {
    return EJSON.stringify(value, { relaxed: true }) ?? 'missing';
  } catch {
    return String(value);
  }
}
