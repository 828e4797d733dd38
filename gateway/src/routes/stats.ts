import { linkStatsExample, linkStatsRecord, workspaceStatsExample, workspaceStatsRecord } from '@tautan/proto';
import { linkOrSlugParams } from './link-schemas.js';
import { route, type Route } from './route.js';
import { statsExportFormats } from './stats-export.js';
import { linkStatsExportQuery, linkStatsQuery, rangeQuery } from './stats-schemas.js';
import { linkStatsView, workspaceStatsView } from './stats-view.js';

const section = 'Statistics';
const freshness =
  'Clicks are counted within 5 seconds. Bots, prefetches and HEAD requests are not counted as clicks. The plan determines how long statistics are kept.';

const ofLink = route({
  id: 'getLinkStats',
  method: 'GET',
  path: '/api/v1/links/{id}/stats',
  section,
  summary: 'Get the statistics of a link',
  description: `Accepts an id, or a slug on the default domain or on \`domain\`. ${freshness}`,
  request: { params: linkOrSlugParams, query: linkStatsQuery },
  success: { status: 200, description: 'The statistics.', data: linkStatsRecord, example: linkStatsExample },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query }, { clients, rpc }) => ({
    data: linkStatsView(
      await clients.stats.call('GetLinkStats', { idOrSlug: id, ...query, packedSeries: true }, rpc()),
    ),
  }),
});

const exportOfLink = route({
  id: 'exportLinkStats',
  method: 'GET',
  path: '/api/v1/links/{id}/stats/export',
  section,
  summary: 'Export the statistics of a link',
  description: 'Returns the statistics of a link as a file.',
  request: { params: linkOrSlugParams, query: linkStatsExportQuery },
  success: {
    status: 200,
    description: 'The file.',
    other: [
      {
        type: 'text/csv',
        description:
          'The time series as `time,clicks,uniques`, followed by a section for each of countries, cities, devices, browsers, os, referrers and sources as `dimension,key,clicks`. Every section has a header line and is preceded by an empty line.',
      },
      { type: 'application/json', description: 'The envelope with the statistics as `data`.', data: linkStatsRecord },
    ],
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: async ({ params: { id }, query: { format, ...query } }, { clients, rpc, requestId }) => {
    const stats = linkStatsView(
      await clients.stats.call('ExportLinkStats', { idOrSlug: id, ...query, packedSeries: true }, rpc()),
    );
    const { write, type, extension } = statsExportFormats[format];
    const filename = `stats-${id}-${new Date().toISOString().slice(0, 10)}.${extension}`;
    return { stream: singleChunk(write(stats, requestId)), type, filename };
  },
});

async function* singleChunk(text: string): AsyncIterable<string> {
  yield text;
}

const ofWorkspace = route({
  id: 'getWorkspaceStats',
  method: 'GET',
  path: '/api/v1/workspaces/current/stats',
  section,
  summary: 'Get the statistics of the current workspace',
  description: `Returns the statistics of all links and QR codes together, including deleted ones. ${freshness}`,
  request: { query: rangeQuery },
  success: { status: 200, description: 'The statistics.', data: workspaceStatsRecord, example: workspaceStatsExample },
  errors: [],
  handle: async ({ query }, { clients, rpc }) => ({
    data: workspaceStatsView(await clients.stats.call('GetWorkspaceStats', { ...query, packedSeries: true }, rpc())),
  }),
});

export const statsRoutes: Route[] = [ofLink, exportOfLink, ofWorkspace];
