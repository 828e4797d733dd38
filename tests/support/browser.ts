import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Programs that Debian's packages install. The headless shell uses half the CPU time of the full browser. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Starts Chromium without a window; the caller closes it. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: programs.find(existsSync) ?? programs[0]!,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
