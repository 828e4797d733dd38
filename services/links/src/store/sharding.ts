export { createModels } from './models.js';

/** Searches of sharded collections that do not tell the shard key, `<collection>: <fields>`, and why they need not. */
export const asksEveryShard: Record<string, string> = {
  'links: _id': 'tells a link of another workspace (403) from none (404)',
  'redirects: $or': 'the expiry sweep looks for what has expired or is used up in all workspaces',
  'redirects: linkId, status, via, workspaceId': 'a change of a link looks for the QR codes that follow it',
  'redirects: status, via, workspaceId': 'the hourly check of usage counters counts QR codes',
  'stats_days: _id': 'a rebuild looks for the documents of a day, of all subjects',
  'stats_days: closeAt': 'days of all subjects are closed when they are over',
  'stats_days: workspaceId': 'a larger plan keeps statistics for longer',
  'stats_quarters: workspaceId': 'a larger plan keeps statistics for longer',
};
