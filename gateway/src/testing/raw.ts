import { connect } from 'node:net';

/**
 * Sends raw bytes. Returns everything received until the server closes the connection. Rejects after `idleMs` of
 * silence.
 */
export function raw(url: string, bytes: string | Uint8Array, idleMs = 5_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const done = () => resolve(Buffer.concat(chunks).toString());
    socket.setTimeout(idleMs, () => socket.destroy(new Error(`no data and no close for ${idleMs} ms`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', done);
    socket.on('close', done);
    socket.on('error', reject);
  });
}
