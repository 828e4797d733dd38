import { MongoClient, type Db, type Document } from 'mongodb';
import { newId, type Principal } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto/rpc';
import { eventually } from '@tautan/kit/testing';
import type { Bench, Started } from './bench.js';

/** URLs of the servers that a link service process uses. */
export interface Dependencies {
  mongodb: string;
  nats: string;
}

/** The short domain of the benchmarks. */
export const HOST = 'go.example.com';

const BATCH = 2_000;

/** Starts a link service process in one role. Resolves when it is ready. */
export async function startLinks(
  bench: Bench,
  { mongodb, nats }: Dependencies,
  role: 'api' | 'redirect' | 'stats',
  env: Record<string, string> = {},
): Promise<Started> {
  const started = await bench.start('services/links/dist/main.js', {
    ROLES: role,
    MONGODB_URI: mongodb,
    NATS_URL: nats,
    BASE_URL: `http://${HOST}`,
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    REDIRECT_PORT: '0',
    SPILL_DIR: await bench.folder(),
    ...env,
  });
  await eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${started.ports['admin']}/readyz`);
    if (response.status !== 200) throw new Error(`the ${role} role is not ready: ${await response.text()}`);
  }, 20_000);
  return started;
}

/**
 * Creates one link through the link service and copies its documents `count` - 1 times with other slugs, so that every
 * document has the fields that the service writes. Returns the slugs, starting with the original.
 */
export async function seedThroughService(bench: Bench, dependencies: Dependencies, count: number): Promise<string[]> {
  const service = await startLinks(bench, dependencies, 'api');
  const slug = await createOne(service.ports['grpc']!);
  await service.stop();
  const client = new MongoClient(dependencies.mongodb);
  try {
    return [slug, ...(await copyLink(client.db('tautan_links'), slug, count - 1))];
  } finally {
    await client.close();
  }
}

async function createOne(port: number): Promise<string> {
  const client = rpcClient(rpcServices.links, { address: `127.0.0.1:${port}` });
  const principal: Principal = {
    workspaceId: newId('ws'),
    kind: 'api_key',
    id: newId('key'),
    name: 'benchmark',
    role: 'admin',
    plan: 'UNLIMITED',
    ip: '127.0.0.1',
    userAgent: null,
    requestId: newId('req'),
  };
  const context = { principal, requestId: principal.requestId };
  const { slug } = await client.call('CreateLink', { url: 'https://www.example.com/' }, context);
  client.close();
  return slug;
}

/**
 * Copies a link and its route directly in the database, `count` times. Each copy has its own id, slug, destination,
 * title and times. Returns the slugs of the copies.
 */
export async function copyLink(db: Db, slug: string, count: number): Promise<string[]> {
  const links = db.collection<Document>('links');
  const routes = db.collection<Document>('redirects');
  const link = await links.findOne({ slug });
  const route = await routes.findOne({ linkId: link?._id });
  if (!link || !route) throw new Error(`the link ${slug} is not in the database`);
  const firstMs = Date.now() - count;
  const slugs = Array.from({ length: count }, (_, n) => `b${n.toString(36).padStart(6, '0')}`);
  const starts = Array.from({ length: Math.ceil(count / BATCH) }, (_, i) => i * BATCH);
  const insertBatches = async (): Promise<void> => {
    for (let from = starts.shift(); from !== undefined; from = starts.shift()) {
      const copies = slugs
        .slice(from, from + BATCH)
        .map((copySlug, i) => copyOf(link, route, copySlug, firstMs, from + i));
      await links.insertMany(copies.map((copy) => copy.link) as never[], { ordered: false });
      await routes.insertMany(copies.map((copy) => copy.route) as never[], { ordered: false });
    }
  };
  await Promise.all([insertBatches(), insertBatches()]);
  return slugs;
}

function copyOf(link: Document, route: Document, slug: string, firstMs: number, n: number) {
  const id = newId('lnk', firstMs + n);
  const url = `https://www.example.com/campaigns/autumn/${n}?utm_source=newsletter&utm_campaign=c${n % 97}`;
  const at = new Date(firstMs + n);
  return {
    link: { ...link, _id: id, slug, slugKey: slug, url, title: `Campaign ${n}`, createdAt: at, updatedAt: at },
    route: { ...route, _id: `/${slug}`, linkId: id, url },
  };
}
