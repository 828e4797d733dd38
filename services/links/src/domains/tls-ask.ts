import { explainMongo } from '@tautan/kit/mongo';
import { domainKey } from '../redirects/domain/route.js';
import { parseDomainName } from './domain/domain-name.js';
import type { RoleDeps } from '../roles.js';

const DEADLINE_MS = 2_000;
const noDomain = { status: 404, body: 'no verified domain\n' };
const unavailable = { status: 503, body: 'the database is unavailable\n' };

/**
 * Returns a handler that decides whether a certificate may be issued for a host: 200 for a verified domain, 404 for any
 * other, 503 while the database is unavailable. On-demand TLS proxies call it, so that nobody can make them request
 * certificates for other names.
 */
export const tlsAsk =
  ({ models, mongo }: Pick<RoleDeps, 'models' | 'mongo'>) =>
  async (query: URLSearchParams): Promise<{ status: number; body: string }> => {
    const name = parseDomainName(query.get('domain') ?? '');
    if (name === undefined) return noDomain;
    if (!mongo.ready()) return unavailable;
    try {
      const entry = await models.routes
        .findOne({ _id: domainKey(name), via: 'domain' })
        .maxTimeMS(DEADLINE_MS)
        .lean();
      return entry ? { status: 200, body: 'verified\n' } : noDomain;
    } catch (error) {
      if (explainMongo(error)) return unavailable;
      throw error;
    }
  };
