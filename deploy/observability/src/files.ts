import { join } from 'node:path';

/** The folder of the catalogue, the dashboards and the rules. */
export const folder = join(import.meta.dirname, '..');
export const root = join(folder, '..', '..');
