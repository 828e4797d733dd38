import { newId, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { invalidations } from '@tautan/proto';
import { domainKey, domainRoute } from '../redirects/domain/route.js';
import { startFixture, visit } from './redirects.js';

export type RedirectDomains = Awaited<ReturnType<typeof startRedirectDomains>>;

export const WORKSPACE = 'ws_01jd0000000000000000000000';

/** Starts two replicas of the redirect role on embedded servers, to test custom domains. */
export async function startRedirectDomains(settings: Record<string, string> = {}) {
  const fixture = await startFixture({ own: true });
  const replicas = [await fixture.roles('redirect', settings), await fixture.roles('redirect', settings)];
  const ports = replicas.map(({ ports }) => ports['http']!);
  const invalidate = (name: string) => fixture.bus.notify(invalidations.redirect, { keys: [domainKey(name)] });
  const statuses = async (host: string, path: string) =>
    (await Promise.all(ports.map((port) => visit(port, path, { host })))).map(({ status }) => status);
  return {
    ...fixture,
    ports,
    /** Invalidates a domain in the replicas. */
    invalidate,
    /** Creates a domain that is verified for a workspace. Returns its name. */
    aDomain: async (workspaceId = WORKSPACE): Promise<string> => {
      const name = `d${newUlid()}.example`;
      await fixture.models.routes.create(domainRoute({ _id: newId('dom'), workspaceId, name }));
      invalidate(name);
      return name;
    },
    /** Deletes the entry of a domain, without an invalidation. */
    removeDomain: async (name: string): Promise<void> =>
      void (await fixture.models.routes.deleteOne({ _id: domainKey(name) })),
    /** Creates a route with a slug on a domain. */
    aRouteOn: (host: string, slug: string, fields = {}) => fixture.aRoute({ _id: `${host}/${slug}`, ...fields }),
    /** Returns the status code of each replica. */
    statuses,
    /** Waits until every replica responds with the given status code. */
    untilStatus: (host: string, path: string, status: number, withinMs = 1_000) =>
      until(async () => (await statuses(host, path)).every((each) => each === status), withinMs),
  };
}
