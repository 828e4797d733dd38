import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planNames } from '@tautan/proto';
import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';
import { configurableSettings, workloads } from './workloads.js';

/** The folder of the chart. */
export const chart = join(import.meta.dirname, '../../../charts/tautan');

interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}

const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});
const texts: Schema = { type: 'array', items: { type: 'string' } };
const textMap: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const positive: Schema = { type: 'integer', minimum: 1 };
const ports: Schema = { type: 'array', items: { type: 'integer', minimum: 1, maximum: 65_535 } };

/** Schemas that cannot be derived from the default of a value, by path. */
const details: Record<string, Schema> = {
  publicUrl: { type: 'string', pattern: '^(https?://[^/ ]+)?$' },
  ownHosts: texts,
  trustedProxies: texts,
  countryHeaders: texts,
  'brand.logo': { type: 'string', pattern: '^((https://|data:image/).+)?$' },
  'brand.color': { type: 'string', pattern: '^(#[0-9A-Fa-f]{6})?$' },
  logLevel: { enum: ['trace', 'debug', 'info', 'warn', 'error', 'silent'] },
  drainSeconds: { type: 'integer', minimum: 1, maximum: 300 },
  defaultPlan: { enum: [...planNames] },
  plans: object(Object.fromEntries(planNames.map((name) => [name, { type: 'object' }]))),
  'image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  'nats.url': { type: 'string', pattern: '^((nats|tls)://[^,@ ]+(,(nats|tls)://[^,@ ]+)*)?$' },
  'nats.replicas': { type: 'integer', minimum: 1, maximum: 5 },
  'nats.authentication': { enum: ['none', 'user', 'token', 'creds', 'nkey'] },
  'identity.url': { type: 'string', pattern: '^(https?://.+)?$' },
  'identity.workspaces': { enum: ['local', 'provider'] },
  'rpcTls.mode': { enum: ['generated', 'certManager', 'existing'] },
  'customDomains.addresses': texts,
  'routes.ingress.annotations': textMap,
  'networkPolicy.privateRanges': texts,
  'telemetry.environment': {
    type: 'object',
    propertyNames: { pattern: '^OTEL_' },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
  ...Object.fromEntries(
    ['mongodb', 'nats', 'redis', 'identity', 'mail', 'telemetry'].map((peer) => [`networkPolicy.ports.${peer}`, ports]),
  ),
  'defaults.autoscaling.min': positive,
  'defaults.autoscaling.max': positive,
  'defaults.autoscaling.targetCpu': positive,
  'defaults.podAnnotations': textMap,
  'defaults.podLabels': textMap,
  'defaults.nodeSelector': textMap,
  'defaults.maxUnavailable': { type: ['integer', 'string'] },
  'defaults.spreadOver': texts,
  'defaults.resources': { type: 'object' },
  'defaults.settings': settings(intersectionOf(Object.values(workloads).map(configurableSettings))),
};

function intersectionOf([first = [], ...others]: string[][]): string[] {
  return first.filter((name) => others.every((names) => names.includes(name)));
}

function settings(names: string[]): Schema {
  return object(Object.fromEntries(names.toSorted().map((name) => [name, { type: ['string', 'number', 'boolean'] }])));
}

/** A value of `values.yaml` with its comment. */
interface Entry {
  path: string;
  description: string | undefined;
  value: unknown;
  children: Entry[] | undefined;
}

const plain = (value: unknown): unknown => (isScalar(value) ? value.value : (value as YAMLMap).toJSON());

function entriesOf(map: YAMLMap, parent = ''): Entry[] {
  return map.items.map((item) => {
    const { key, value } = item as Pair<{ value: string; commentBefore?: string }, unknown>;
    const path = parent ? `${parent}.${key.value}` : key.value;
    const comment = /^ -- (.*)$/m.exec(key.commentBefore ?? (map.items[0] === item ? (map.commentBefore ?? '') : ''));
    const children = isMap(value) && value.items.length > 0 && !details[path] ? entriesOf(value, path) : undefined;
    return { path, description: comment?.[1], value: plain(value), children };
  });
}

/** Returns the values of `values.yaml` with their comments, in order. */
const readEntries = (): Entry[] => {
  const document = parseDocument(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const map = document.contents as YAMLMap;
  // YAML attaches a comment at the top of a file to the document.
  map.commentBefore ??= document.commentBefore ?? '';
  return entriesOf(map);
};

function schemaOf({ path, description, value, children }: Entry): Schema {
  const about = description === undefined ? {} : { description: description.replaceAll('`', '') };
  if (details[path]) return { ...about, ...details[path] };
  if (children) return { ...about, ...object(propertiesOf(children)) };
  if (Array.isArray(value)) return { ...about, type: 'array' };
  if (typeof value === 'number') return { ...about, type: 'integer', minimum: 0 };
  return { ...about, type: typeof value };
}

const propertiesOf = (entries: Entry[]): Record<string, Schema> =>
  Object.fromEntries(entries.map((entry) => [entry.path.split('.').at(-1)!, schemaOf(entry)]));

/** Returns the JSON Schema of the values. Types come from `values.yaml`, settings from the services. */
export function valuesSchema(): string {
  const properties = propertiesOf(readEntries());
  const common = properties['defaults']!.properties!;
  for (const [name, workload] of Object.entries(workloads)) {
    const { description } = properties[name]!;
    properties[name] = {
      ...(description !== undefined && { description }),
      ...object({ ...common, settings: settings(configurableSettings(workload)) }),
    };
  }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object({ ...properties, global: { type: 'object' } }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function rowsOf({ path, description, value, children }: Entry): string[] {
  const isWorkload = path in workloads;
  const shown = children && !isWorkload ? '' : `\`${JSON.stringify(value)}\``;
  const text = isWorkload ? `${description} Takes the keys of \`defaults\`.` : description;
  const row = text === undefined ? [] : [`| \`${path}\` | ${shown} | ${text.replaceAll('|', '\\|')} |`];
  return isWorkload ? row : [...row, ...(children ?? []).flatMap(rowsOf)];
}

/** Returns the README of the chart: its introduction and a table of the values. */
export function readme(): string {
  const introduction = readFileSync(join(chart, 'README.head.md'), 'utf8');
  const rows = readEntries().flatMap(rowsOf);
  return `${introduction}\n## Values\n\n| value | default | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}
