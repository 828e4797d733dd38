import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSite, cliCommands } from '@tautan/docs-site';
import { apiDocument } from '@tautan/gateway/openapi';
import { eventCatalog } from '@tautan/proto';

// Checks that the documentation site is complete and self-contained, and that it matches the code.
const root = join(import.meta.dirname, '..', '..', '..');
let folder: string;
let files: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tautan-docs-'));
  buildSite(folder);
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const pages = () => files.filter((name) => name.endsWith('.html'));
const urlOf = (name: string): string => `/docs/${name}`.replace(/\/index\.html$|\.html$/, '');

describe('the pages', () => {
  test('link to existing pages and headings', () => {
    const anchors = new Map(
      pages().map((name) => [urlOf(name), new Set([...read(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))]),
    );
    const others = new Set(files.map((name) => `/docs/${name}`));
    const broken = pages().flatMap((name) => {
      const links = [...read(name).matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href!);
      return links
        .filter((href) => !/^https?:|^mailto:|^\/api\//.test(href))
        .filter((href) => {
          const [path = '', anchor] = href.split('#');
          const target = anchors.get(path || urlOf(name));
          return target ? anchor !== undefined && !target.has(decodeURIComponent(anchor)) : !others.has(path);
        })
        .map((href) => `${name}: ${href}`);
    });
    expect(broken).toEqual([]);
  });

  test('load nothing from another host, and have no inline script or style', () => {
    for (const name of pages()) {
      const html = read(name);
      const loaded = [...html.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, href]) => href!);
      expect(loaded.filter((href) => !href.startsWith('/docs'))).toEqual([]);
      expect(html).not.toMatch(/<script>|<style|<[^>]+ style=|<[^>]+ on[a-z]+=/);
    }
  });

  test('include every guide and every page about operations', () => {
    const sources = ['guides', 'operations'].flatMap((name) =>
      readdirSync(join(root, 'docs', name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
    );
    const markdown = sources.filter((path) => path.endsWith('.md') && !path.endsWith('README.md'));
    expect(markdown.length).toBeGreaterThan(30);
    expect(markdown.filter((path) => !files.includes(path))).toEqual([]);
  });

  test('exist as Markdown too, and are listed in llms.txt', () => {
    const index = read('llms.txt');
    for (const name of pages()) {
      const markdown = name.replace(/\.html$/, '.md');
      expect(read(markdown)).toMatch(/^# /m);
      expect(index).toContain(`(/docs/${markdown})`);
    }
  });
});

describe('the API reference', () => {
  interface Operation {
    operationId: string;
    summary: string;
    'x-person-only'?: boolean;
  }
  const operations = Object.values(apiDocument()['paths'] as Record<string, Record<string, Operation>>).flatMap(
    (methods) => Object.values(methods),
  );
  let reference: string;
  beforeAll(() => {
    const pages = files.filter((name) => name.startsWith('api/') && name.endsWith('.md'));
    reference = pages.map(read).join('\n');
  });
  const descriptionOf = ({ summary }: Operation) => reference.split(`## ${summary}\n`)[1]!.split('\n## ')[0]!;

  test('describes every operation', () => {
    for (const { summary } of operations) expect(reference).toContain(`## ${summary}\n`);
  });

  test('uses an access token in the examples of operations that only users can call', () => {
    const usersOnly = operations.filter((each) => each['x-person-only']);
    expect(usersOnly.length).toBeGreaterThan(5);
    for (const description of usersOnly.map(descriptionOf)) {
      expect(description).toContain('-H "Authorization: Bearer $TAUTAN_TOKEN"');
      expect(description).toContain('credential: process.env.TAUTAN_TOKEN }');
      expect(description).not.toContain('TAUTAN_API_KEY');
    }
  });

  test('has curl examples that write images to a file, because curl does not print binary data to a terminal', () => {
    const ids = ['downloadQrCode', 'previewQrCode', 'showQrCode', 'getQrLogo'];
    const images = operations.filter(({ operationId }) => ids.includes(operationId));
    expect(images).toHaveLength(ids.length);
    for (const description of images.map(descriptionOf)) expect(description).toContain('\n  --output image.png\n');
  });

  test('names existing commands and options of the CLI', async () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(Object.keys(cliCommands).filter((id) => !ids.includes(id))).toEqual([]);
    interface Command {
      commands: Command[];
      options: { long: string }[];
      name(): string;
    }
    const { buildProgram } = (await import(join(root, 'cli/dist/program.js'))) as { buildProgram: () => Command };
    for (const line of Object.values(cliCommands)) {
      let command = buildProgram();
      for (const word of line.split(' ')) {
        if (command.commands.length === 0) break;
        command = command.commands.find((each) => each.name() === word)!;
        expect([line, command?.name()]).toEqual([line, word]);
      }
      const known = command.options.map(({ long }) => long);
      const used = line.split(' ').filter((word) => word.startsWith('--'));
      expect([line, used.filter((option) => !known.includes(option))]).toEqual([line, []]);
    }
  });
});

test('the events page describes exactly the types that webhooks can subscribe to', () => {
  const page = read('events.md');
  for (const [type, definition] of Object.entries(eventCatalog))
    expect([type, page.includes(`## \`${type}\`\n`)]).toEqual([type, 'webhook' in definition]);
});
