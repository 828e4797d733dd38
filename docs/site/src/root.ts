import { join } from 'node:path';

/** The root of the repository. */
export const root = join(import.meta.dirname, '..', '..', '..');

/** Where the gateway serves the site from. */
export const siteFolder = join(root, 'gateway', 'site');
