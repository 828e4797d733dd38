export { createModels } from './models.js';

/** Searches of sharded collections that do not tell the shard key, `<collection>: <fields>`, and why they need not. */
export const asksEveryShard: Record<string, string> = {
  // Of one workspace, whose endpoints may be on several shards.
  'deliveries: _id': 'the API names a delivery by its id alone',
  'deliveries: workspaceId': 'lists: a page of every shard is merged',
  'deliveries: _id, workspaceId': 'lists',
  'deliveries: status, workspaceId': 'lists',
  'deliveries: _id, status, workspaceId': 'lists',
  'deliveries: type, workspaceId': 'lists',
  'deliveries: _id, type, workspaceId': 'lists',
  'deliveries: status, type, workspaceId': 'lists',
  'deliveries: _id, status, type, workspaceId': 'lists',
  // Of all workspaces.
  'deliveries: status': 'the gauge of all that is pending',
};
