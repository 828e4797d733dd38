import { relative } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Quickstart } from './quickstart.js';

export interface Terminal {
  colours: boolean;
  /** Someone looks: long commands are broken for 80 columns. Else each is one line. */
  isRead: boolean;
}

/** What a terminal can show: colours unless NO_COLOR (https://no-color.org) is set or nobody looks. */
export const terminalOf = (stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Terminal => ({
  isRead: stream.isTTY === true,
  colours: stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
});

const paint = ({ colours }: Terminal) => {
  const style = (code: string) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: style('1'), dim: style('2'), accent: style('36'), good: style('32') };
};

/** A slug for the example, new at every start so that the printed line works each time. */
export const exampleSlug = (): string => `hello-${randomBytes(2).toString('hex')}`;

/** The three commands, in the parts that they may be broken between. */
export function commands({ baseUrl, apiKey }: Quickstart, slug: string): { title: string; parts: string[] }[] {
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  const links = `${baseUrl}/api/v1/links`;
  const body = `-d '{"url":"https://example.com","slug":"${slug}"}'`;
  return [
    { title: 'Create a link', parts: [`curl -s ${links}`, authorization, "-H 'Content-Type: application/json'", body] },
    // curl by its own name counts as a bot.
    { title: 'Follow it, as a browser', parts: [`curl -si -A 'Mozilla/5.0 Firefox/140.0' ${baseUrl}/${slug}`] },
    {
      title: 'See the click counted',
      parts: [`curl -s ${links}/${slug}`, authorization, `| grep -o '"clickCount":[0-9]*'`],
    },
  ];
}

/** What the stack says once it is ready. */
export function summary(
  quickstart: Quickstart,
  { dataDir, ms, slug, terminal }: { dataDir: string; ms: number; slug: string; terminal: Terminal },
): string {
  const { bold, dim, accent, good } = paint(terminal);
  const row = (name: string, value: string, note = '') =>
    `  ${dim(name.padEnd(12))}${value}${note && dim(`  ${note}`)}`;
  const { baseUrl, apiKey, person, identity, payments, mongodb, nats } = quickstart;
  return [
    '',
    `  ${bold('Tautan')} ${good('is ready')} ${dim(`after ${(ms / 1000).toFixed(1)} s`)}`,
    '',
    row('Links', accent(baseUrl)),
    row('API', accent(`${baseUrl}/api/v1`)),
    row('Docs', accent(`${baseUrl}/docs`)),
    row('API key', bold(apiKey)),
    row('Workspace', quickstart.workspaceId, 'Demo, on the BUSINESS plan'),
    row('Accounts', accent(identity.url)),
    ...(person ? [row('Sign in as', `${bold(person.email)}  ${bold(person.password)}`)] : []),
    ...(payments ? [row('Payments', accent(payments.url), 'a sandbox, no money moves')] : []),
    '',
    ...commands(quickstart, slug).flatMap(({ title, parts }) => [
      `  ${dim(`# ${title}`)}`,
      terminal.isRead ? `  ${parts.join(' \\\n    ')}` : parts.join(' '),
      '',
    ]),
    row('Data', short(dataDir), `${mongodb.engine} MongoDB, ${nats.engine} NATS`),
    row('Facts', short(`${dataDir}/quickstart.json`), 'logs beside it'),
    '',
    dim('  Ctrl-C stops everything.'),
    '',
    '',
  ].join('\n');
}

/** One line about something that happened meanwhile. */
export const notice = (sentence: string, terminal: Terminal): string => `  ${paint(terminal).dim(`· ${sentence}`)}\n`;

function short(path: string): string {
  const near = relative(process.cwd(), path);
  return near && !near.startsWith('..') ? near : path;
}
