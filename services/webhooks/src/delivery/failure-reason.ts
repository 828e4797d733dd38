/** An error that the sender, not a library, throws. Its message is shown to the endpoint's owner. */
export class AttemptError extends Error {}

const unresolved = 'the host name cannot be resolved';
const untrusted = 'TLS: the certificate is not signed by a trusted authority, or its chain is incomplete';
const selfSigned = 'TLS: the certificate is self-signed';

const reasons: Record<string, string> = {
  EGRESS_REFUSED: 'the host has no public address',
  ENOTFOUND: unresolved,
  ENODATA: unresolved,
  ESERVFAIL: unresolved,
  EREFUSED: unresolved,
  ETIMEOUT: 'resolving the host name timed out',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed before a response',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too large',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  CERT_HAS_EXPIRED: 'TLS: the certificate has expired',
  CERT_NOT_YET_VALID: 'TLS: the certificate is not valid yet',
  CERT_REVOKED: 'TLS: the certificate was revoked',
  CERT_UNTRUSTED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS: the certificate is not valid for this host name',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'TLS: the certificate is not valid for this host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'TLS: the receiver does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'TLS: the receiver does not speak TLS on this port',
  ERR_SSL_HTTP_REQUEST: 'TLS: the receiver does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'TLS: the receiver does not support TLS 1.2 or later',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'TLS: the receiver does not support TLS 1.2 or later',
};

/**
 * Returns why an attempt failed, for the endpoint's owner. Never returns a library's message, which can contain file
 * paths and host names.
 */
export function failureReason(error: unknown): string {
  if (error instanceof AttemptError) return error.message;
  const { code, name, errors } = error as Partial<NodeJS.ErrnoException> & { errors?: { code?: string }[] };
  // If several addresses were tried, report the reason of the first one.
  const errorCode = code ?? errors?.[0]?.code ?? '';
  if (Object.hasOwn(reasons, errorCode)) return reasons[errorCode]!;
  if (name === 'HTTPParserError') return 'the response is not HTTP';
  if (/^ERR_SSL_.*ALERT/.test(errorCode)) return 'TLS: the receiver refused the handshake';
  if (/^ERR_(SSL|TLS)_|^EPROTO$/.test(errorCode)) return 'TLS: the handshake failed';
  if (/CERT|CRL|ISSUER|SIGNATURE/.test(errorCode)) return 'TLS: the certificate is not valid';
  return 'the attempt failed';
}
