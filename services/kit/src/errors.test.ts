import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { errorCatalog, fail, faultCode, httpStatus, notConfigured, type ErrorCode } from './errors.js';

// The public contract: code and HTTP status.
const contract: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  TOKEN_EXPIRED: 401,
  PLAN_LIMIT_EXCEEDED: 402,
  FORBIDDEN: 403,
  PERSON_ONLY: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  SLUG_TAKEN: 409,
  DOMAIN_TAKEN: 409,
  DOMAIN_IN_USE: 409,
  ALREADY_MEMBER: 409,
  TAG_EXISTS: 409,
  ENDPOINT_EXISTS: 409,
  ENDPOINT_DISABLED: 409,
  ALREADY_QUEUED: 409,
  SUBSCRIPTION_STATE: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  IDEMPOTENCY_MISMATCH: 422,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  UPSTREAM_UNAVAILABLE: 502,
  SERVICE_UNAVAILABLE: 503,
  TIMEOUT: 504,
};
const codes = Object.keys(errorCatalog) as ErrorCode[];

describe('the error catalog', () => {
  test('contains exactly the codes of the contract, each with its HTTP status', () => {
    const statuses = Object.fromEntries(codes.map((code) => [code, httpStatus[errorCatalog[code].kind]]));
    expect(statuses).toEqual(contract);
  });

  test('contains at least one code of every kind', () => {
    expect(new Set(codes.map((code) => errorCatalog[code].kind))).toEqual(new Set(Object.keys(httpStatus)));
  });

  test('is equal to the table in the README', () => {
    const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| (\d{3}) +\| (.*?) +\|$/gm)].map(([, ...cells]) => cells);
    expect(rows).toEqual(
      codes.map((code) => [code, `${httpStatus[errorCatalog[code].kind]}`, errorCatalog[code].description]),
    );
  });
});

test('faultCode returns the code of a fault, and undefined for other values', () => {
  expect(faultCode(fail('SLUG_TAKEN', 'In use.', 'slug'))).toBe('SLUG_TAKEN');
  expect(faultCode(new Error('SLUG_TAKEN'))).toBeUndefined();
  expect(faultCode(Object.assign(new Error('An error of another library.'), { code: 'TIMEOUT' }))).toBeUndefined();
  expect(faultCode(undefined)).toBeUndefined();
});

test('the fault of a component that is not configured has this reason, so that alerts can ignore it', () => {
  const message = 'No identity provider is configured.';
  expect(notConfigured(message)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message, reason: 'NOT_CONFIGURED' });
  expect(fail('SERVICE_UNAVAILABLE', message).reason).toBeUndefined();
});
