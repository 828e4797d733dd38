export { createModels } from './models.js';

/** Queries of sharded collections without the shard key, `<collection>: <fields>`, and the reason for each. */
export const allowedBroadcasts: Record<string, string> = {};
