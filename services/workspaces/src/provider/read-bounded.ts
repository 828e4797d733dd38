/** The body of an answer as text. Rejects past `mostBytes`, without reading the rest. */
export async function readBounded(response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > mostBytes) throw new Error(`An answer of more than ${mostBytes} bytes.`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}
