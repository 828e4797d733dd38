import { readFileSync, writeFileSync } from 'node:fs';
import { asyncApi } from './asyncapi.js';

// Writes asyncapi.json beside the protobuf files. `npm run generate` runs this script after the build.
const root = new URL('../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
writeFileSync(new URL('asyncapi.json', root), `${JSON.stringify(asyncApi(version), null, 2)}\n`);
