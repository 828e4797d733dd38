export { createModels } from './models.js';

/** Searches of sharded collections that do not tell the shard key, `<collection>: <fields>`, and why they need not. */
export const asksEveryShard: Record<string, string> = {
  'qr_codes: _id, state': 'tells a code of another workspace (403) from none (404)',
  'qr_codes: dueAt': 'the sweep finishes what was left unfinished in any workspace',
  'qr_codes: workspaceId': 'the hourly check of usage counters walks through all workspaces',
};
