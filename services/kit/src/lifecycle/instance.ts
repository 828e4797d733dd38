import { hostname } from 'node:os';

/**
 * Returns an id for the process that listens on a port, stable across restarts. Returns null for port 0, which is a different
 * port after each start.
 */
export const instanceOn = (port: number): string | null => (port === 0 ? null : `${hostname()}:${port}`);
