// Extracts the commands of a guide. Usage: guide-blocks.mjs <guide> <overrides> <folder>
// Writes blocks.sh with all `sh` blocks in order, and your-values.yaml with the values of the first `yaml` block.
// The values of the file <overrides> take precedence.
// Skips blocks with more words after the language, such as `sh env`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

const [guide, overrides, folder] = process.argv.slice(2);
const blocks = [...readFileSync(guide, 'utf8').matchAll(/^```(\w+)([^\n]*)\n([^]*?)^```$/gm)];
const plain = (language) =>
  blocks.filter(([, name, words]) => name === language && words.trim() === '').map(([, , , text]) => text);

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const merged = (base, change) =>
  isMap(base) && isMap(change)
    ? Object.fromEntries(
        [...new Set([...Object.keys(base), ...Object.keys(change)])].map((key) => [
          key,
          key in change ? merged(base[key], change[key]) : base[key],
        ]),
      )
    : change;

const values = merged(parse(plain('yaml')[0]), parse(readFileSync(overrides, 'utf8')));
writeFileSync(join(folder, 'your-values.yaml'), stringify(values));
const shown = plain('sh').map(
  (text) => `cat <<'BLOCK_END'\n\n--- ${text.trim().split('\n').join('\n--- ')}\nBLOCK_END\n${text}`,
);
writeFileSync(join(folder, 'blocks.sh'), shown.join('\n'));
