import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { renderCatalog } from './catalog.js';
import { dashboards, toGrafana } from './dashboards.js';
import { folder } from './files.js';
import { renderRules } from './rules.js';
import type { RunningService } from './services.js';

/** Returns the texts of the generated files, keyed by path. */
export async function generatedFiles(services: RunningService[]): Promise<Map<string, string>> {
  const texts = {
    'metrics.md': renderCatalog(services),
    'prometheus-rules.yaml': renderRules(),
    ...Object.fromEntries(dashboards.map((each) => [`dashboards/${each.uid}.json`, JSON.stringify(toGrafana(each))])),
  };
  const options = await resolveConfig(join(folder, 'metrics.md'));
  const files = new Map<string, string>();
  for (const [name, text] of Object.entries(texts)) {
    const filepath = join(folder, name);
    files.set(filepath, await format(text, { ...options, filepath }));
  }
  return files;
}
