import { join } from 'node:path';

/** The folder that contains the metrics catalog, the dashboards and the rules. */
export const folder = join(import.meta.dirname, '..');
/** Root folder of the repository. */
export const root = join(folder, '..', '..');
