import { spawn } from 'node:child_process';
import type { Environment } from './config.js';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open', freebsd: 'xdg-open' };

/** Opens a URL in the user's browser. Returns whether a browser was started. Never rejects. */
export function openBrowser(
  url: string,
  { browser, graphical }: Pick<Environment, 'browser' | 'graphical'>,
): Promise<boolean> {
  const program = browser ?? (graphical ? openers[process.platform] : undefined);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // The URL comes from a server, so refuse every scheme except http and https.
  if (!program || !parsed || !/^https?:$/.test(parsed.protocol)) return Promise.resolve(false);
  return new Promise((resolve) => {
    // `spawn` rejects an argument that contains NUL, but the URL parser has removed or percent-encoded every NUL.
    const child = spawn(program, [parsed.href], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false)).once('spawn', () => resolve(true));
    child.unref();
  });
}
