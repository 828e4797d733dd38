export { createModels } from './models.js';

/**
 * Queries that lack the shard key of their sharded collection, as `<collection>: <fields>`, each with the reason why
 * the query is acceptable.
 */
export const broadcastQueries: Record<string, string> = {};
