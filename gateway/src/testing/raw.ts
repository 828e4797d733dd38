import { connect } from 'node:net';

/** Sends raw bytes. Returns everything received until the server closes the connection, or `withinMs` passes. */
export function raw(url: string, bytes: string | Uint8Array, withinMs = 5_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const done = () => resolve(Buffer.concat(chunks).toString());
    socket.setTimeout(withinMs, () => socket.destroy(new Error('the server neither answered nor closed')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', done);
    socket.on('close', done);
    socket.on('error', reject);
  });
}
