export { createModels } from './models.js';

/** Queries of sharded collections without the shard key, `<collection>: <fields>`, and the reason for each. */
export const allowedBroadcasts: Record<string, string> = {
  // Of one workspace, whose endpoints may be on several shards.
  'deliveries: _id': 'the API identifies a delivery by its id only',
  'deliveries: workspaceId': 'lists: merges a page of every shard',
  'deliveries: _id, workspaceId': 'lists',
  'deliveries: status, workspaceId': 'lists',
  'deliveries: _id, status, workspaceId': 'lists',
  'deliveries: type, workspaceId': 'lists',
  'deliveries: _id, type, workspaceId': 'lists',
  'deliveries: status, type, workspaceId': 'lists',
  'deliveries: _id, status, type, workspaceId': 'lists',
  // Of all workspaces.
  'deliveries: status': 'the gauge of all pending deliveries',
};
