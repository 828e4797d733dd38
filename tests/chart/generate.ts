import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chart, readme, valuesSchema } from './chart-files.js';

// Writes the generated files of the chart.
writeFileSync(join(chart, 'values.schema.json'), valuesSchema());
writeFileSync(join(chart, 'README.md'), readme());
