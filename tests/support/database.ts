import { MongoClient } from 'mongodb';

/** Returns every string in the product's databases. Binary data is included as text, hex, base64 and base64url. */
export async function everyString(uri: string): Promise<Set<string>> {
  const client = await new MongoClient(uri).connect();
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.add(value);
    else if (value && typeof value === 'object' && 'buffer' in value && 'sub_type' in value) {
      const bytes = Buffer.from((value as { buffer: Uint8Array }).buffer);
      for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const) found.add(bytes.toString(encoding));
    } else if (value && typeof value === 'object') Object.values(value).forEach(collect);
  };
  try {
    const { databases } = await client.db('admin').admin().listDatabases();
    for (const { name } of databases.filter((each) => each.name.includes('tautan'))) {
      for (const { name: collection } of await client.db(name).listCollections().toArray()) {
        for await (const document of client.db(name).collection(collection).find()) collect(document);
      }
    }
  } finally {
    await client.close();
  }
  return found;
}
