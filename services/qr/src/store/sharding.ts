export { createModels } from './models.js';

/**
 * Queries of sharded collections that go to every shard, as `<collection>: <fields>`, each with the reason why the
 * query is acceptable.
 */
export const broadcastQueries: Record<string, string> = {
  'qr_codes: _id, state': 'distinguishes a code of another workspace (403) from an unknown one (404)',
  'qr_codes: dueAt': 'the sweep finishes unfinished changes of any workspace',
  'qr_codes: workspaceId': 'the sweep of link snapshots iterates over all workspaces',
};
