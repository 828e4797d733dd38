import { join } from 'node:path';

/** Root folder of the repository. */
export const root = join(import.meta.dirname, '..', '..', '..');

/** Folder from which the gateway serves the site. */
export const siteFolder = join(root, 'gateway', 'site');
