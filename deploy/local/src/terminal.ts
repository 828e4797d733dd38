import { relative } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Quickstart } from './quickstart.js';

export interface Terminal {
  colors: boolean;
  /** Whether the output is a terminal. If so, long commands are wrapped. */
  isTerminal: boolean;
  /** Output width in columns. Default: unlimited. */
  columns?: number;
}

/**
 * Returns the properties of a stream. Colors are used on terminals unless NO_COLOR (https://no-color.org) or TERM=dumb
 * is set.
 */
export const terminalOf = (stream: { isTTY?: boolean; columns?: number }, env: NodeJS.ProcessEnv): Terminal => ({
  ...(stream.isTTY && stream.columns && { columns: stream.columns }),
  isTerminal: stream.isTTY === true,
  colors: stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
});

const paint = ({ colors }: Terminal) => {
  const style = (code: string) => (text: string) => (colors ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: style('1'), dim: style('2'), accent: style('36'), success: style('32') };
};

/** Returns a slug for the example, different at every start so that the printed command works each time. */
export const exampleSlug = (): string => `hello-${randomBytes(2).toString('hex')}`;

/** Returns the example commands, split at the places where lines may be wrapped. */
export function exampleCommands({ baseUrl, apiKey }: Quickstart, slug: string): { title: string; parts: string[] }[] {
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  const links = `${baseUrl}/api/v1/links`;
  const body = `-d '{"url":"https://example.com","slug":"${slug}"}'`;
  return [
    { title: 'Create a link', parts: [`curl -s ${links}`, authorization, "-H 'Content-Type: application/json'", body] },
    // curl's own user agent counts as a bot.
    { title: 'Follow it, as a browser', parts: [`curl -si -A 'Mozilla/5.0 Firefox/140.0' ${baseUrl}/${slug}`] },
    {
      title: 'See the click counted',
      parts: [`curl -s ${links}/${slug}`, authorization, `| grep -o '"clickCount":[0-9]*'`],
    },
  ];
}

const NAME_COLUMNS = 13;
const plain = (text: string): string => text;

interface Row {
  name: string;
  value: string;
  note: string | undefined;
  style: (text: string) => string;
}

/** Returns a name, a value and a note on one line, or on separate lines if they do not fit. */
function rowOf(terminal: Terminal, { name, value, note, style }: Row): string {
  const { dim } = paint(terminal);
  const { columns = Infinity } = terminal;
  const fits = (more = 0): boolean => 2 + NAME_COLUMNS + value.length + more <= columns;
  const first = fits() ? `  ${dim(name.padEnd(NAME_COLUMNS))}${style(value)}` : `  ${dim(name)}\n    ${style(value)}`;
  if (!note) return first;
  return first + (fits(2 + note.length) ? '  ' : `\n${' '.repeat(2 + NAME_COLUMNS)}`) + dim(note);
}

/** Returns the text that is printed when the stack is ready. */
export function summary(
  quickstart: Quickstart,
  { dataDir, ms, slug, terminal }: { dataDir: string; ms: number; slug: string; terminal: Terminal },
): string {
  const { bold, dim, accent, success } = paint(terminal);
  const row = (name: string, value: string, note?: string, style = bold) =>
    rowOf(terminal, { name, value, note, style });
  const { baseUrl, apiKey, person, identity, payments, mongodb, nats } = quickstart;
  return [
    '',
    `  ${bold('Tautan')} ${success('is ready')} ${dim(`after ${(ms / 1000).toFixed(1)} s`)}`,
    '',
    row('Application', `${baseUrl}/app`, undefined, accent),
    ...(person ? [row('Sign in', person.signInUrl, 'as the demo user', accent)] : []),
    row('Links', baseUrl, undefined, accent),
    row('API', `${baseUrl}/api/v1`, undefined, accent),
    row('Docs', `${baseUrl}/docs`, undefined, accent),
    row('API key', apiKey),
    row('Workspace', quickstart.workspaceId, 'Demo, on the BUSINESS plan', plain),
    row('Accounts', identity.url, undefined, accent),
    ...(person ? [row('Demo user', `${person.email}  ${person.password}`)] : []),
    ...(payments ? [row('Payments', payments.url, 'sandbox, no real payments', accent)] : []),
    '',
    ...exampleCommands(quickstart, slug).flatMap(({ title, parts }) => [
      `  ${dim(`# ${title}`)}`,
      terminal.isTerminal ? `  ${parts.join(' \\\n    ')}` : parts.join(' '),
      '',
    ]),
    row('Data', short(dataDir), `${mongodb.engine} MongoDB, ${nats.engine} NATS`, plain),
    row('Quickstart', short(`${dataDir}/quickstart.json`), 'URLs and keys; logs in logs/', plain),
    '',
    dim('  Press Ctrl-C to stop everything.'),
    '',
    '',
  ].join('\n');
}

/** Returns the line that is printed for an event while the stack starts, runs or stops. */
export const notice = (sentence: string, terminal: Terminal): string => `  ${paint(terminal).dim(`· ${sentence}`)}\n`;

function short(path: string): string {
  const near = relative(process.cwd(), path);
  return near && !near.startsWith('..') ? near : path;
}
