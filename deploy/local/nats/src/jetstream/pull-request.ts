import { JetStreamError } from './errors.js';
import { parseFields, type Fields } from './fields.js';
import { wholeNumber } from './paging.js';

/** A MSG.NEXT request. `expires` and `nextHeartbeat` are Unix ms, 0 for never. */
export interface PullRequest {
  reply: string;
  /** Remaining messages. */
  batch: number;
  /** Remaining bytes; 0 for no limit. */
  bytes: number;
  delivered: number;
  noWait: boolean;
  expires: number;
  /** Heartbeat interval in ms; 0 for no heartbeats. */
  heartbeat: number;
  nextHeartbeat: number;
}

/** A rejected pull request. `status`, if present, is sent to the client. */
export class RefusedPull extends Error {
  constructor(readonly status: string | undefined) {
    super(status ?? 'dropped');
  }
}

const known = ['batch', 'expires', 'max_bytes', 'no_wait', 'idle_heartbeat'];

/** Parses the payload of MSG.NEXT: empty, a number of messages, or a JSON object. Throws RefusedPull. */
export function pullRequest(reply: string, payload: Buffer, now: number): PullRequest {
  const text = payload.toString('utf8').trim();
  const fields = text.startsWith('{') ? readFields(payload) : { batch: batchOf(text) };
  const [expires, heartbeat] = [wholeNumber(fields, 'expires') / 1e6, wholeNumber(fields, 'idle_heartbeat') / 1e6];
  if (heartbeat > 0 && heartbeat * 2 > expires) throw badRequest('heartbeat value too large');
  return {
    reply,
    batch: Math.max(1, wholeNumber(fields, 'batch')),
    bytes: Math.max(0, wholeNumber(fields, 'max_bytes')),
    delivered: 0,
    noWait: fields['no_wait'] === true,
    expires: expires > 0 ? now + expires : 0,
    heartbeat: Math.max(0, heartbeat),
    nextHeartbeat: heartbeat > 0 ? now + heartbeat : 0,
  };
}

/** Returns how many messages a non-JSON payload requests: 1 if it is not a 64-bit integer, as in nats-server. */
function batchOf(text: string): number {
  const batch = /^\d+$/.test(text) ? Number(text) : 1;
  return batch < 2 ** 63 ? Math.min(batch, Number.MAX_SAFE_INTEGER) : 1;
}

function readFields(payload: Buffer): Fields {
  try {
    const fields = parseFields(payload);
    const unknown = Object.keys(fields).find((name) => !known.includes(name) && fields[name]);
    if (unknown) throw badRequest(`unknown field "${unknown}"`);
    for (const name of known) if (name !== 'no_wait') wholeNumber(fields, name);
    return fields;
  } catch (error) {
    throw error instanceof JetStreamError ? badRequest(error.message) : error;
  }
}

/** Returns the rejection of an invalid request. Line breaks are replaced, because a status must be a single line. */
const badRequest = (why: string): RefusedPull =>
  new RefusedPull(`400 Bad Request - ${why.replaceAll(/[\r\n]+/g, ' ')}`);
