export { createModels } from './models.js';

/**
 * Queries of sharded collections without the shard key (`<collection>: <fields>`), each with the reason why it is
 * acceptable.
 */
export const broadcastQueries: Record<string, string> = {};
