import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export { version };

/** User-Agent header of requests. */
export const userAgent = `tautan-cli/${version}`;
