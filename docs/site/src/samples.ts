import { cliCommands } from './cli-commands.js';
import { resolve, type Endpoint, type Parameter, type Response } from './openapi.js';

export interface Sample {
  tab: string;
  language: string;
  code: string;
}

const exampleOf = ({ schema }: Parameter): string => {
  const { examples, enum: values } = resolve(schema);
  return String((examples ?? values)?.[0]);
};
const isPublic = ({ security }: Endpoint): boolean => security?.length === 0;
const isUsersOnly = (endpoint: Endpoint): boolean => endpoint['x-person-only'] === true;
const bodyOf = ({ examples }: Endpoint): unknown => examples.body;
const isUpload = ({ requestBody }: Endpoint): boolean => requestBody?.content['multipart/form-data'] !== undefined;

function isImage({ responses }: Endpoint): boolean {
  const success = responses['200'] && resolve<Response>(responses['200']);
  return Object.keys(success?.content ?? {}).some((type) => type.startsWith('image/'));
}

/** Returns samples of an operation for curl and, if available, the SDK and the CLI. */
export function samplesOf(endpoint: Endpoint): Sample[] {
  const cli = cliCommands[endpoint.operationId];
  return [
    { tab: 'curl', language: 'sh', code: curl(endpoint) },
    ...(endpoint.path.startsWith('/api/v1/') ? [{ tab: 'SDK', language: 'js', code: sdk(endpoint) }] : []),
    ...(cli === undefined ? [] : [{ tab: 'CLI', language: 'sh', code: `tautan ${cli}` }]),
  ];
}

function curl(endpoint: Endpoint): string {
  const { method, path, parameters } = endpoint;
  const inPath = parameters.filter((each) => each.in === 'path');
  const address = inPath.reduce((at, each) => at.replace(`{${each.name}}`, exampleOf(each)), path);
  const query = parameters.filter((each) => each.in === 'query' && each.required);
  const search = query.map((each) => `${each.name}=${encodeURIComponent(exampleOf(each))}`).join('&');
  const body = bodyOf(endpoint);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$TAUTAN_URL${address}${search && `?${search}`}"`,
    ...(isPublic(endpoint)
      ? []
      : [`  -H "Authorization: Bearer $${isUsersOnly(endpoint) ? 'TAUTAN_TOKEN' : 'TAUTAN_API_KEY'}"`]),
    ...(body === undefined ? [] : ["  -H 'Content-Type: application/json'", `  -d '${quoted(JSON.stringify(body))}'`]),
    ...(isUpload(endpoint) ? ['  -F logo=@logo.png'] : []),
    // Without a file, curl refuses to write an image to a terminal.
    ...(isImage(endpoint) ? ['  --output image.png'] : []),
  ].join(' \\\n');
}

const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`);

function sdk(endpoint: Endpoint): string {
  const { method, path, parameters } = endpoint;
  const argumentsIn = (where: string, includeOptional: boolean) => {
    const all = parameters.filter((each) => each.in === where && (includeOptional || each.required));
    return all.length === 0 ? undefined : Object.fromEntries(all.map((each) => [each.name, exampleOf(each)]));
  };
  const options = [
    ['path', argumentsIn('path', true)],
    ['query', argumentsIn('query', false)],
    ['body', isUpload(endpoint) ? 'form' : bodyOf(endpoint)],
  ].filter(([, value]) => value !== undefined);
  const written = options.map(([name, value]) => `  ${String(name)}: ${value === 'form' ? 'form' : literal(value)},\n`);
  const client = isUsersOnly(endpoint)
    ? 'const tautan = new Tautan({ baseUrl: process.env.TAUTAN_URL, credential: process.env.TAUTAN_TOKEN });\n'
    : '';
  const call = `${client}await tautan.${method.toLowerCase()}('${path.replace('/api/v1', '')}'`;
  return written.length === 0 ? `${call});` : `${call}, {\n${written.join('')}});`;
}

/** Returns a JSON value as a JavaScript literal with single quotes. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, field]) => `${/^[A-Za-z]\w*$/.test(name) ? name : literal(name)}: ${literal(field)}`)
      .join(', ')}}`;
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`;
}
