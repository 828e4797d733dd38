export { createModels } from './models.js';

/** Searches of sharded collections that do not tell the shard key, `<collection>: <fields>`, and why they need not. */
export const asksEveryShard: Record<string, string> = {};
