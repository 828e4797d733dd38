/** Converts a stream of NDJSON to a JSON array with one item per line. The last input line may lack its line feed. */
export async function* asJsonArray(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let before = '[\n';
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    const items = lines.filter((line) => line !== '');
    if (items.length === 0) continue;
    yield before + items.join(',\n');
    before = ',\n';
  }
  if (rest !== '') {
    yield before + rest;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
