import { hostname } from 'node:os';

/**
 * Returns an id for the process that listens on this port. It is stable across restarts. Returns null for port 0,
 * because the system then chooses another port at each start.
 */
export const instanceOn = (port: number): string | null => (port === 0 ? null : `${hostname()}:${port}`);
