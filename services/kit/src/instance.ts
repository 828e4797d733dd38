import { hostname } from 'node:os';

/**
 * Identifies the process that listens on a port across restarts: its predecessor has ended. Returns null for port 0, which is
 * another port after each start.
 */
export const instanceOn = (port: number): string | null => (port === 0 ? null : `${hostname()}:${port}`);
