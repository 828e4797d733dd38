export { createModels } from './models.js';

/** Queries of sharded collections that go to every shard, as `<collection>: <fields>`, each with its purpose. */
export const broadcastQueries: Record<string, string> = {
  'links: _id': 'distinguishes a link of another workspace (403) from a missing one (404)',
  'redirects: $or': 'the expiry sweep finds expired and used-up entries of all workspaces',
  'redirects: linkId, status, via, workspaceId': 'an update of a link finds its QR codes',
  'redirects: status, via, workspaceId': 'the statistics of a workspace include its number of QR codes',
  'stats_days: _id': 'a rebuild finds the documents of a day for all subjects',
  'stats_days: closeAt': 'days of all subjects are closed after they end',
  'stats_days: workspaceId': 'an upgrade of the plan extends the retention of statistics',
  'stats_quarters: workspaceId': 'an upgrade of the plan extends the retention of statistics',
};
