export interface Family {
  name: string;
  type: string;
  help: string;
  labels: string[];
}

/**
 * Parses metric families from the Prometheus text format. Throws if a line is invalid.
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function parseExposition(text: string): Family[] {
  const families: Family[] = [];
  let labels = new Set<string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [, keyword, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      labels = new Set();
      families.push({ name: name!, help: rest!, type: '', labels: [] });
    } else if (keyword === 'TYPE') {
      families.at(-1)!.type = rest!;
    } else {
      const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (?:[-+]?[\d.e+-]+|[-+]?Inf|NaN|Nan)$/.exec(line);
      const family = families.at(-1);
      if (!sample || !family || !sample[1]!.startsWith(family.name)) throw new Error(`not a sample: ${line}`);
      for (const [, label] of (sample[2] ?? '').matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) labels.add(label!);
      family.labels = [...labels];
    }
  }
  return families;
}
