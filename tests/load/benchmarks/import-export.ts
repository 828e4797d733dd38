import { MongoClient } from 'mongodb';
import { apiClient, aLink } from '../../support/client.js';
import type { Stack } from '../../support/stack.js';
import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { watchMemory, residentMb } from '../memory.js';
import { copyLink } from '../seed.js';
import { benchStack, serviceNamed } from '../stack.js';
import { median } from '../statistics.js';

const IMPORTED = 1_000;
const EXPORTED = 100_000;

/** Measures an import of the maximum size, and the time and memory that an export of a hundred thousand links takes. */
export async function importExport(bench: Bench): Promise<Figure[]> {
  const stack = await benchStack(bench);
  const imports = [];
  for (let i = 0; i < (bench.quick ? 2 : 3); i += 1) imports.push(await importOnce(stack, i));
  bench.say(`imports took ${imports.map((seconds) => seconds.toFixed(2)).join(', ')} s`);
  await seed(bench, stack);
  const quickstart = await stack.quickstart();
  const watched = ['gateway', 'links'].map((name) => serviceNamed(quickstart, name));
  const before = watched.map(({ pid }) => residentMb(pid));
  const stopWatching = watchMemory(watched.map(({ pid }) => pid));
  const { lines, seconds, bytes } = await exportAll(stack);
  const highest = stopWatching();
  return [
    {
      label: 'import of 1,000 links',
      value: Math.max(...imports),
      unit: 's',
      bound: { atMost: 3 },
      note: `the slowest of ${imports.length}; median ${median(imports).toFixed(2)} s`,
    },
    { label: 'links in the export', value: lines, unit: '', bound: { exactly: EXPORTED } },
    { label: 'export of 100,000 links', value: seconds, unit: 's', note: `${(bytes / 2 ** 20).toFixed(1)} MB of CSV` },
    ...watched.map(({ name }, i): Figure => ({
      label: `memory growth of ${name}`,
      value: Math.max(0, highest[i]! - before[i]!),
      unit: 'MB',
      bound: { atMost: 50 },
      note: `highest resident memory during the export, minus the ${Math.round(before[i]!)} MB before it`,
    })),
  ];
}

async function importOnce(stack: Stack, round: number): Promise<number> {
  const links = Array.from({ length: IMPORTED }, (_, i) => ({
    url: `https://www.example.com/imported/${round}/${i}`,
    slug: `imported-${round}-${i}`,
    title: `Imported ${i}`,
    tags: [`tag ${i % 10}`],
  }));
  const began = performance.now();
  const answer = await apiClient(stack).post<{ created: number }>('/links/import', { dryRun: false, links });
  const seconds = (performance.now() - began) / 1_000;
  if (answer.data?.created !== IMPORTED) throw new Error(`the import failed: ${answer.text.slice(0, 500)}`);
  return seconds;
}

/** Creates links until the workspace has as many as the export needs. */
async function seed(bench: Bench, stack: Stack): Promise<void> {
  const { mongodb } = await stack.quickstart();
  const { slug } = await aLink(apiClient(stack));
  const client = new MongoClient(mongodb.uri);
  try {
    const db = client.db('tautan_links');
    const present = await db.collection('links').countDocuments({});
    bench.say(`seeding ${(EXPORTED - present).toLocaleString('en')} links`);
    await copyLink(db, slug, EXPORTED - present);
  } finally {
    await client.close();
  }
}

/** Reads the export as a stream. Returns the number of data lines, the duration in seconds, and the size in bytes. */
async function exportAll({ baseUrl, apiKey }: Stack): Promise<{ lines: number; seconds: number; bytes: number }> {
  const began = performance.now();
  const response = await fetch(`${baseUrl}/api/v1/links/export?format=csv`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (response.status !== 200) throw new Error(`the export responded with ${response.status}`);
  let lines = -1; // The header does not count.
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return { lines, bytes, seconds: (performance.now() - began) / 1_000 };
}
