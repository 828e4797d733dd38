export { createModels } from './models.js';

const LIST = 'a list of deliveries merges one page from each shard';

/**
 * Queries that lack the shard key of their sharded collection, as `<collection>: <fields>`, each with the reason why
 * the query is acceptable.
 */
export const broadcastQueries: Record<string, string> = {
  // Queries for one workspace, whose endpoints may be on several shards.
  'deliveries: _id': 'the API identifies a delivery by its id only',
  'deliveries: workspaceId': LIST,
  'deliveries: _id, workspaceId': LIST,
  'deliveries: status, workspaceId': LIST,
  'deliveries: _id, status, workspaceId': LIST,
  'deliveries: type, workspaceId': LIST,
  'deliveries: _id, type, workspaceId': LIST,
  'deliveries: status, type, workspaceId': LIST,
  'deliveries: _id, status, type, workspaceId': LIST,
  // Queries for all workspaces.
  'deliveries: status': 'a gauge counts all pending deliveries',
};
