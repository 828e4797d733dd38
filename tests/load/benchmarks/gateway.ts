import type { Principal } from '@tautan/kit';
import { aLink, apiClient } from '../../support/client.js';
import { demoPerson } from '../../support/people.js';
import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { responseCount, getRequest, LoadGenerator, warmUp, type LoadResult } from '../load.js';
import { benchStack, serviceNamed } from '../stack.js';
import { median } from '../statistics.js';

const CONNECTIONS = 32;
const LINKS = 100;

/**
 * Measures GET /links/{id} through one gateway process with all middleware (authentication, limits, validation, logs,
 * metrics), relative to a bare Koa app that makes the same gRPC call. Also measures the overhead of authentication: the
 * latency of a request that does nothing after authentication, minus that of a request for an unknown path, which
 * passes the same middleware up to authentication, but is not authenticated.
 */
export async function gateway(bench: Bench): Promise<Figure[]> {
  const stack = await benchStack(bench, { LOG_LEVEL: 'info' });
  const quickstart = await stack.quickstart();
  const api = apiClient(stack);
  const ids: string[] = [];
  for (let i = 0; i < LINKS; i += 1) ids.push((await aLink(api)).id);
  const principal: Principal = {
    workspaceId: quickstart.workspaceId,
    kind: 'api_key',
    id: 'key_bench',
    name: 'bench',
    role: 'admin',
    plan: 'UNLIMITED',
    ip: null,
    userAgent: null,
    requestId: '',
  };
  const bare = await bench.startProcess('bare-koa-rpc', {
    LINKS_ADDRESS: serviceNamed(quickstart, 'links').grpc!,
    PRINCIPAL: JSON.stringify(principal),
  });
  const load = await LoadGenerator.start(bench);
  const ports = {
    gateway: Number(new URL(serviceNamed(quickstart, 'gateway').http!).port),
    bare: bare.ports['http']!,
  };
  const { host } = new URL(stack.baseUrl);
  const requestFor = (path: string, token: string) =>
    getRequest(path, { Host: host, Authorization: `Bearer ${token}` });
  // For each credential, a request that needs no service after authentication: with an API key, an operation that
  // rejects API keys; with an access token, reading the user's session.
  const { apiKey } = stack;
  const { token: accessToken } = await demoPerson(stack);
  const getMember = requestFor('/api/v1/workspaces/current/members/mem_01jd3x8q4v5w6y7z8a9b0c1d2e', apiKey);
  const credentials = [
    { kind: 'API key', token: apiKey, authOnly: getMember.replace('GET', 'DELETE'), status: 403 },
    {
      kind: 'access token',
      token: accessToken,
      authOnly: requestFor('/api/v1/auth/session', accessToken),
      status: 200,
    },
  ];
  const run = async (port: number, requests: string[], connections: number, status = 200): Promise<LoadResult> => {
    const result = await load.run({ port, connections, requests, durationMs: bench.roundMs });
    if (responseCount(result, status) === 0 || Object.keys(result.statuses).length > 1)
      throw new Error(`not every response had the status ${status}: ${JSON.stringify(result.statuses)}`);
    return result;
  };

  const figures: Figure[] = [];
  for (const { kind, token, authOnly, status } of credentials) {
    const requests = ids.map((id) => requestFor(`/api/v1/links/${id}`, token));
    const pairs: [LoadResult, LoadResult][] = [];
    const overheads: number[] = [];
    for (const port of [ports.gateway, ports.bare]) await warmUp(() => run(port, requests, CONNECTIONS));
    for (let i = 0; i < bench.rounds; i += 1) {
      const pair: [LoadResult, LoadResult] = [
        await run(ports.gateway, requests, CONNECTIONS),
        await run(ports.bare, requests, CONNECTIONS),
      ];
      const authenticated = await run(ports.gateway, [authOnly], 1, status);
      const unauthenticated = await run(ports.gateway, [requestFor('/api/v1/nothing', token)], 1, 404);
      bench.say(
        `${kind}: ${Math.round(pair[0].perSecond)}/s, bare ${Math.round(pair[1].perSecond)}/s; ${authenticated.p50.toFixed(3)} ms with authentication, ${unauthenticated.p50.toFixed(3)} ms without`,
      );
      pairs.push(pair);
      overheads.push(authenticated.p50 - unauthenticated.p50);
    }
    figures.push(
      {
        label: `GET /links/{id}, ${kind}`,
        value: median(pairs.map(([measured]) => measured.perSecond)),
        baseline: {
          label: 'bare Koa with the same call',
          value: median(pairs.map(([, baseline]) => baseline.perSecond)),
        },
        ratio: median(pairs.map(([measured, baseline]) => measured.perSecond / baseline.perSecond)),
        unit: '/s',
        bound: { atLeast: kind === 'API key' ? 0.9 : 0.5 },
        note: `${CONNECTIONS} connections; all middleware`,
      },
      {
        label: `authentication overhead, ${kind}`,
        value: Math.max(0, median(overheads)),
        unit: 'ms',
        bound: { atMost: 0.3 },
        note: 'p50 of a request that does nothing after authentication, minus p50 of an unknown path; one connection',
      },
    );
  }
  return figures;
}
