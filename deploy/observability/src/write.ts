// Writes the catalogue of metrics: `npm run metrics`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderCatalogue } from './catalogue.js';
import { folder } from './files.js';
import { withServices } from './services.js';

const spillDir = await mkdtemp(join(tmpdir(), 'tautan-metrics-'));
await writeFile(join(folder, 'metrics.md'), await withServices(spillDir, renderCatalogue));
await rm(spillDir, { recursive: true });
process.exit(0);
