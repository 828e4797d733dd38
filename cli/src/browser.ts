import { spawn } from 'node:child_process';
import type { Environment } from './config.js';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open', freebsd: 'xdg-open' };

/** Opens a URL in the user's browser. Returns whether a browser was started. Never rejects. */
export function openBrowser(url: string, { browser, graphical }: Environment): Promise<boolean> {
  const program = browser ?? (graphical ? openers[process.platform] : undefined);
  // The URL comes from a server, so refuse every scheme except http and https.
  if (!program || !/^https?:\/\//.test(url)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false)).once('spawn', () => resolve(true));
    child.unref();
  });
}
