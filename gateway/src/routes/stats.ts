import { linkOrSlugParams } from './link-schemas.js';
import { route, type Route } from './route.js';
import { statsExportForms } from './stats-export.js';
import {
  linkStats,
  linkStatsExample,
  linkStatsExportQuery,
  linkStatsQuery,
  rangeQuery,
  workspaceStats,
  workspaceStatsExample,
} from './stats-schemas.js';
import { linkStatsView, workspaceStatsView } from './stats-view.js';

const section = 'Statistics';
const freshness =
  'A click is counted within 5 seconds; bots, prefetches and HEAD are not clicks. How far back it goes is for the plan to say.';

const ofLink = route({
  id: 'getLinkStats',
  method: 'GET',
  path: '/api/v1/links/{id}/stats',
  section,
  summary: 'Get the statistics of a link',
  description: `Of a link by its id, or by its slug on the default domain or on the one that \`domain\` names. ${freshness}`,
  request: { params: linkOrSlugParams, query: linkStatsQuery },
  success: { status: 200, description: 'The statistics.', data: linkStats, example: linkStatsExample },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query }, { clients, rpc }) => ({
    data: linkStatsView(await clients.stats.call('GetLinkStats', { idOrSlug: id, ...query }, rpc())),
  }),
});

const exportOfLink = route({
  id: 'exportLinkStats',
  method: 'GET',
  path: '/api/v1/links/{id}/stats/export',
  section,
  summary: 'Export the statistics of a link',
  description: 'The same statistics as a file.',
  request: { params: linkOrSlugParams, query: linkStatsExportQuery },
  success: {
    status: 200,
    description: 'The file.',
    other: [
      {
        type: 'text/csv',
        description:
          'The time series as `time,clicks,uniques`; then a section for each of countries, cities, devices, browsers, os, referrers and sources as `dimension,key,clicks`. Every section has a header line, and an empty line before it.',
      },
      { type: 'application/json', description: 'The envelope with the statistics as its data.', data: linkStats },
    ],
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query: { format, ...query } }, { clients, rpc, requestId }) => {
    const stats = linkStatsView(await clients.stats.call('ExportLinkStats', { idOrSlug: id, ...query }, rpc()));
    const { write, type, ending } = statsExportForms[format];
    const filename = `stats-${id}-${new Date().toISOString().slice(0, 10)}.${ending}`;
    return { stream: whole(write(stats, requestId)), type, filename };
  },
});

async function* whole(text: string): AsyncIterable<string> {
  yield text;
}

const ofWorkspace = route({
  id: 'getWorkspaceStats',
  method: 'GET',
  path: '/api/v1/workspaces/current/stats',
  section,
  summary: 'Get the statistics of the current workspace',
  description: `Of all its links together, those that are deleted meanwhile as well. ${freshness}`,
  request: { query: rangeQuery },
  success: { status: 200, description: 'The statistics.', data: workspaceStats, example: workspaceStatsExample },
  errors: [],
  handle: async ({ query }, { clients, rpc }) => ({
    data: workspaceStatsView(await clients.stats.call('GetWorkspaceStats', query, rpc())),
  }),
});

export const statsRoutes: Route[] = [ofLink, exportOfLink, ofWorkspace];
