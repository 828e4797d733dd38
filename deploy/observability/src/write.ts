// Writes the metrics catalog, the rules and the dashboards. Usage: npm run metrics
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated.js';
import { withServices } from './services.js';

const spillDir = await mkdtemp(join(tmpdir(), 'tautan-metrics-'));
for (const [path, text] of await withServices(spillDir, generatedFiles)) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
await rm(spillDir, { recursive: true });
process.exit(0);
