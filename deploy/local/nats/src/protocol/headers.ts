/** The header block of a message: `NATS/1.0[ status]\r\n`, `Name: value\r\n` lines, an empty line (NATS ADR-4). */

const version = 'NATS/1.0';

/**
 * Returns the values of headers by exact name. The first of repeated headers wins, as in nats-server. Invalid lines are
 * skipped.
 */
export function parseHeaders(block: Buffer): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of block.toString('utf8').split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    if (!values.has(name)) values.set(name, line.slice(colon + 1).trim());
  }
  return values;
}

/** Returns a header block with a status, such as `408 Request Timeout`, and the given fields. */
export function statusHeader(status: string, fields: Record<string, string | number> = {}): Buffer {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${version} ${status}\r\n${lines.join('')}\r\n`);
}

/** Returns a header block with fields appended. Creates the block if there is none. */
export function addHeaders(block: Buffer | undefined, fields: Record<string, string | number>): Buffer {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = block ? block.subarray(0, block.length - 2) : Buffer.from(`${version}\r\n`);
  return Buffer.concat([start, Buffer.from(`${lines.join('')}\r\n`)]);
}
