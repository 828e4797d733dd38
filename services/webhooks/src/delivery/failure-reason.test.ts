import { expect, test } from '@jest/globals';
import { AttemptError, failureReason } from './failure-reason.js';

const withCode = (code: string) => Object.assign(new Error('10.0.0.1 /etc/tautan/key.pem'), { code });

test.each([
  ['ETIMEOUT', 'resolving the host name timed out'],
  ['EPIPE', 'the connection was reset'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out'],
  ['ENETUNREACH', 'the host cannot be reached'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS: the certificate is self-signed'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLS: the receiver does not support TLS 1.2 or later'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'TLS: the receiver refused the handshake'],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'TLS: the handshake failed'],
  ['EPROTO', 'TLS: the handshake failed'],
  ['UNABLE_TO_GET_CRL', 'TLS: the certificate is not valid'],
  ['EMFILE', 'the attempt failed'],
])('the reason for %s is "%s", without the message of the error', (code, reason) => {
  expect(failureReason(withCode(code))).toBe(reason);
});

test('the reason of the first address is reported if several were tried', () => {
  const errors = [withCode('ECONNREFUSED'), withCode('ETIMEDOUT')];
  expect(failureReason(new AggregateError(errors))).toBe('the connection was refused');
});

test('the reason for an error without a code is "the attempt failed", unless the sender threw the error', () => {
  expect(failureReason(new Error('no response'))).toBe('the attempt failed');
  expect(failureReason(new AttemptError('no response'))).toBe('no response');
});
