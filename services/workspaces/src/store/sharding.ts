export { createModels } from './models.js';

/** Queries that may omit the shard key and go to every shard, as `<collection>: <fields>`, and the reason for each. */
export const allowedBroadcasts: Record<string, string> = {};
