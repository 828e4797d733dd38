import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { buildProgram } from '@tautan/admin/program';
import { errorCatalog } from '@tautan/kit';
import { chart } from '../chart/chart-files.js';
import { workloads } from '../chart/workloads.js';

// Checks that the pages, commands, chart values and settings named by the operations guide exist.
const root = join(import.meta.dirname, '..', '..', '..');
const operations = join(root, 'docs', 'operations');
const markdownIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
const otherPages = ['README.md', 'admin/README.md', 'charts/tautan/README.md', 'services/links/README.md'];
const pages = [...markdownIn(operations), ...otherPages.map((file) => join(root, file))].map((path) => {
  const text = readFileSync(path, 'utf8');
  return { path, name: relative(root, path), text, ...partsOf(text) };
});
const guide = pages.filter(({ path }) => path.startsWith(operations));

/** Returns the fenced blocks, inline code and prose of a page. */
function partsOf(text: string) {
  const blocks = [...text.matchAll(/^( *)```(\w*)[^\n]*\n([^]*?)^ *```$/gm)].map(([, , language, code]) => ({
    language: language!,
    code: code!,
  }));
  const prose = text.replace(/^ *```[^]*?^ *```$/gm, '');
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  return { blocks, prose, inline };
}

/** Returns the anchors of a page: those that GitHub generates for headings, and explicit ones. */
function anchorsOf(text: string): string[] {
  const { prose } = partsOf(text);
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)];
}

describe.each(pages)('$name', ({ path, prose, blocks, inline }) => {
  test('links to existing pages, folders and headings', () => {
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^\w+:/.test(target));
    const broken = targets.filter((target) => {
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : resolve(dirname(path), file);
      if (!existsSync(to)) return true;
      if (anchor === undefined) return false;
      const page = statSync(to).isDirectory() ? join(to, 'README.md') : to;
      return !anchorsOf(readFileSync(page, 'utf8')).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('names existing commands of tautan-admin and of services', () => {
    const codeText = [...blocks.map(({ code }) => code), ...inline].join('\n');
    const unknown = [...codeText.matchAll(/\btautan-admin ([a-z][^\n|)`;]*)/g)]
      .map(([, line]) => line!.trim())
      .filter((line) => !isAdminCommand(line));
    expect(unknown).toEqual([]);
    const commands = [...codeText.matchAll(/dist\/main\.js (\S+)/g)].map(([, name]) => name!);
    expect(commands.filter((name) => !['migrate', 'shard'].includes(name) && !name.startsWith('<'))).toEqual([]);
  });
});

/** Returns whether the text after `tautan-admin` starts with an existing command and has only existing options. */
function isAdminCommand(line: string): boolean {
  const words = line.split(/\s+/);
  let command = buildProgram();
  while (command.commands.length > 0) {
    const next = command.commands.find((each) => each.name() === words[0]);
    if (!next) return false;
    command = next;
    words.shift();
  }
  const options = words.filter((word) => /^--\w/.test(word)).map((word) => word.replace(/[^\w-].*$/, ''));
  const program = command.parent?.parent ?? command.parent ?? command;
  const known = [...command.options, ...program.options].map(({ long }) => long);
  return options.every((option) => [...known, '--json', '--help'].includes(option));
}

interface Schema {
  properties?: Record<string, Schema>;
}
const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as Schema;
const isValue = (path: string): boolean => {
  let at: Schema | undefined = schema;
  for (const key of path.split('.')) at = at?.properties ? at.properties[key] : at && {};
  return at !== undefined;
};

const compose = readFileSync(join(root, 'deploy', 'docker', 'compose.yaml'), 'utf8');
const composeSettings = [...compose.matchAll(/\$\{(\w+)/g), ...compose.matchAll(/^ +(\w+): /gm)].map(
  ([, name]) => name!,
);
const init = readFileSync(join(root, 'deploy', 'docker', 'init'), 'utf8');
const settingsAndCodes = new Set([
  ...Object.values(workloads).flatMap(({ names }) => names),
  ...composeSettings,
  ...Object.keys(errorCatalog),
]);

/** Commands that need no namespace. */
const clusterWide = /^kubectl (create namespace|describe nodes|get pods -A)\b/;

describe.each(guide)('$name of the guide', ({ blocks, inline }) => {
  test('names the namespace in every command for the cluster', () => {
    const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.split('\n'));
    const commands = [...lines, ...inline].flatMap(
      (line) => line.match(/\b(?:kubectl \S+ \S|helm \w+ tautan\b).*?(?= \| |;|$)/g) ?? [],
    );
    const incomplete = commands.filter(
      (command) => !/ (?:-n|--namespace) tautan\b/.test(command) && !clusterWide.test(command),
    );
    expect(incomplete).toEqual([]);
  });

  test('has commands that a shell can parse', () => {
    for (const { language, code } of blocks.filter((block) => block.language === 'sh')) {
      const { status, stderr } = spawnSync('bash', ['-n'], {
        input: code.replace(/<([a-z ]+)>/g, (_, placeholder: string) => placeholder.replaceAll(' ', '_')),
        encoding: 'utf8',
      });
      expect({ language, code, status, stderr }).toMatchObject({ status: 0 });
    }
  });

  test('names existing values of the chart', () => {
    const topLevelKeys = Object.keys(schema.properties!);
    const named = inline
      .map((code) => /^([a-zA-Z]+(?:\.[a-zA-Z]+)+)(?:$|[:= ])/.exec(code)?.[1])
      .filter((code) => code !== undefined);
    const values = named.filter(
      (code) => topLevelKeys.includes(code.split('.')[0]!) && !/\.(md|ts|yaml|yml|key|crt|creds|nk|json)$/.test(code),
    );
    expect(values.filter((code) => !isValue(code))).toEqual([]);
  });

  test('names existing settings and error codes', () => {
    const named = inline.flatMap((code) => code.match(/^[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+/) ?? []);
    expect(
      named.filter((name) => !settingsAndCodes.has(name) && !name.startsWith('OTEL_') && !init.includes(name)),
    ).toEqual([]);
  });
});
