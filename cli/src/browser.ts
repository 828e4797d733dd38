import { spawn } from 'node:child_process';
import type { Environment } from './config.js';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open', freebsd: 'xdg-open' };

/** Opens an address in the person's browser, where there is one; answers whether a browser was asked. Never fails. */
export function openBrowser(url: string, { browser, graphical }: Environment): Promise<boolean> {
  const program = browser ?? (graphical ? openers[process.platform] : undefined);
  // The provider chose the address; only a web page is handed to the system.
  if (!program || !/^https?:\/\//.test(url)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false)).once('spawn', () => resolve(true));
    child.unref();
  });
}
