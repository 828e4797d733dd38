import { errorCatalog, type ErrorCode } from '@tautan/kit';
import { anchorOf } from './markdown.js';
import { document, endpoints, resolve, type Endpoint, type Parameter, type Response, type Schema } from './openapi.js';
import { samplesOf } from './samples.js';

const MAX_DEPTH = 3;

const aboutSamples = `## Samples

The samples read \`TAUTAN_URL\` and \`TAUTAN_API_KEY\`, which the [quickstart](../quickstart.md) sets. Operations marked **users only** refuse API keys. Their samples read \`TAUTAN_TOKEN\`, a user's access token, which the identity provider issues in the device flow ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628)). The endpoints, client id and scope for this flow are in the [sign-in configuration](signing-in.md#get-the-sign-in-configuration).`;

/** Returns the pages of the API reference: an overview and one page per section of the OpenAPI document. */
export function apiPages(): { name: string; markdown: string }[] {
  const all = endpoints();
  const sections = document.tags.map(({ name, description }) => {
    const own = all.filter(({ tags }) => tags[0] === name);
    return { name, file: anchorOf(name), description, own };
  });
  const list = sections.map(({ name, file, description }) => `- [${name}](${file}.md): ${description}`);
  const overview = `# API overview\n\nThe REST API, described as [OpenAPI 3.1](/api/v1/openapi.json), which Postman and code generators import.\n\n${list.join('\n')}\n\n${aboutSamples}\n\n## Conventions\n\n${document.info.description}`;
  return [
    { name: 'README', markdown: overview },
    ...sections.map(({ name, file, description, own }) => ({
      name: file,
      markdown: `# ${name}\n\n${description}\n\n${own.map(operation).join('\n')}`,
    })),
  ];
}

function operation(endpoint: Endpoint): string {
  const { summary, method, path, description = '', parameters, requestBody } = endpoint;
  const own = parameters.filter((each) => each.in !== 'header');
  const body = requestBody?.content['application/json']?.schema ?? requestBody?.content['multipart/form-data']?.schema;
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    samplesOf(endpoint)
      .map(({ tab, language, code }) => fence(`${language} tab=${tab}`, code))
      .join('\n'),
    own.length > 0 ? `**Parameters**\n\n${table(own.map(parameterRow))}` : '',
    body ? `**Body**\n\n${table(fieldRows(body, true))}` : '',
    responses(endpoint),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;

const table = (rows: string[][]): string =>
  ['| name | type | description |', '|---|---|---|', ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`)].join(
    '\n',
  );
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

const parameterRow = ({ name, in: where, required, description, schema }: Parameter): string[] => [
  `\`${name}\``,
  `${typeOf(schema)}, ${where}`,
  `${required ? '**Required.** ' : ''}${description ?? ''}`,
];

/** Returns one row per field. Fields of nested objects are named `outer.inner`. */
function fieldRows(schema: Schema, isInput: boolean, prefix = '', depth = 1): string[][] {
  const { properties = {}, required = [] } = resolve(schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const { description = '' } = { ...resolve(field), ...field };
    const row = [
      `\`${prefix}${name}\``,
      typeOf(field),
      `${isInput && required.includes(name) ? '**Required.** ' : ''}${description}`,
    ];
    const inner = depth < MAX_DEPTH ? fieldRows(innerOf(field), isInput, `${prefix}${name}.`, depth + 1) : [];
    return [row, ...inner];
  });
}

function innerOf(field: Schema): Schema {
  const { items, anyOf, ...own } = resolve(field);
  if (items) return innerOf(items);
  return anyOf ? innerOf(anyOf[0]!) : own;
}

function typeOf(field: Schema): string {
  const { type, enum: values, const: constant, items, anyOf, format } = resolve(field);
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (items) return `array of ${typeOf(items)}`;
  const name = [type ?? 'any'].flat().join(' or ');
  return format === undefined ? name : `${name} (${format})`;
}

function responses(endpoint: Endpoint): string {
  const all = Object.entries(endpoint.responses).map(
    ([status, response]) => [status, resolve<Response>(response)] as const,
  );
  const success = all.filter(([status]) => status < '400');
  const failures = all.filter(([status]) => status >= '400').flatMap(([, { description }]) => description.split(', '));
  const rows = failures.map((failure) => {
    const [status, code] = failure.split(' ') as [string, ErrorCode];
    return `| ${status} | \`${code}\` | ${cell(errorCatalog[code].description)} |`;
  });
  return [
    '**Responses**',
    ...success.map((response) => successText(response, endpoint.examples.response)),
    rows.length > 0 ? `| status | code | when |\n|---|---|---|\n${rows.join('\n')}` : '',
  ].join('\n\n');
}

function successText([status, { description, content = {} }]: readonly [string, Response], example: unknown): string {
  const { schema } = content['application/json'] ?? {};
  const data = schema && resolve(schema).properties?.['data'];
  const fields = data ? fieldRows(innerOf(data), false) : [];
  return [
    `\`${status}\`: ${description}`,
    fields.length > 0 ? table(fields) : '',
    example === undefined ? '' : fence('json', JSON.stringify(example, null, 2)),
  ]
    .filter(Boolean)
    .join('\n\n');
}
