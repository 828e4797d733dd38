/** A client's acknowledgement of a message (`$JS.ACK.…`). */
export type Acknowledgement =
  | { kind: 'ack' }
  | { kind: 'next'; request: Buffer }
  | { kind: 'nak'; delay: number | undefined }
  | { kind: 'progress' }
  | { kind: 'term'; reason: string | undefined };

const units: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 36e5 };

/** Parses a Go duration such as `1m30s` to ms. Returns undefined if it is invalid. */
function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/gy)];
  if (parts.length === 0 || parts.reduce((sum, [part]) => sum + part.length, 0) !== text.length) return undefined;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0);
}

/** Returns the delay of a nak in ms, from `{"delay": nanoseconds}` or a Go duration. Anything else means no delay. */
function nakDelay(text: string): number | undefined {
  if (!text.startsWith('{')) return parseDuration(text);
  try {
    const { delay } = JSON.parse(text) as { delay?: unknown };
    return typeof delay === 'number' && delay >= 0 ? delay / 1e6 : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the payload of an acknowledgement. Returns undefined if its kind is unknown. */
export function parseAcknowledgement(payload: Buffer): Acknowledgement | undefined {
  const text = payload.toString('utf8');
  if (text === '' || text === '+ACK' || text === '+OK') return { kind: 'ack' };
  if (text.startsWith('+NXT')) return { kind: 'next', request: payload.subarray(4) };
  if (text.startsWith('-NAK')) return { kind: 'nak', delay: nakDelay(text.slice(4).trim()) };
  if (text === '+WPI') return { kind: 'progress' };
  if (text.startsWith('+TERM')) return { kind: 'term', reason: text.slice(5).trim() || undefined };
  return undefined;
}

/**
 * Parses the reply subject of a delivered message: `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.…`. It has 9
 * tokens, or 11 or more if domain and account precede the stream. Returns undefined if it is invalid.
 */
export function parseAckSubject(subject: string): { stream: string; consumer: string; seq: number } | undefined {
  const tokens = subject.split('.');
  const at = tokens.length === 9 ? 2 : tokens.length >= 11 ? 4 : undefined;
  if (at === undefined) return undefined;
  const [stream, consumer, , sequence] = tokens.slice(at);
  const seq = Number(sequence);
  return stream && consumer && Number.isSafeInteger(seq) && seq > 0 ? { stream, consumer, seq } : undefined;
}
