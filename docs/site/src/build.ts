import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import MiniSearch from 'minisearch';
import { layout, markdownUrl } from './layout.js';
import { render, type Rendered } from './markdown.js';
import { readSections, type Page, type Section } from './pages.js';
import { root } from './root.js';
import { searchOptions } from './search-options.js';

const assets = join(import.meta.dirname, '..', 'assets');
const { resolve: locate } = createRequire(import.meta.url);

/** Builds the site into a folder. Deletes its previous contents. */
export function buildSite(folder: string): void {
  const sections = readSections();
  const pages = sections.flatMap((section) => section.pages);
  const bySource = new Map(pages.flatMap(({ source, url }) => sourcesOf(source).map((each) => [each, url])));
  rmSync(folder, { recursive: true, force: true });
  const rendered = pages.map((page) => ({ page, ...render(page.markdown, page.source, (path) => bySource.get(path)) }));
  for (const { page, ...content } of rendered) {
    write(
      folder,
      page.url === '/docs' ? 'index.html' : `${page.url.slice('/docs/'.length)}.html`,
      layout(page, content, sections),
    );
    write(folder, markdownUrl(page).slice('/docs/'.length), page.markdown);
  }
  write(folder, 'assets/search.json', JSON.stringify(searchIndex(rendered, sections)));
  write(folder, 'llms.txt', llmsText(sections));
  cpSync(assets, join(folder, 'assets'), { recursive: true });
  cpSync(locate('minisearch').replace(/cjs.index\.cjs$/, 'es/index.js'), join(folder, 'assets/minisearch.js'));
  cpSync(join(root, 'proto/asyncapi.json'), join(folder, 'asyncapi.json'));
}

/** Returns the paths by which other pages link to a source: its own path and, if it is an index page, its folder. */
const sourcesOf = (source: string): string[] =>
  /\/(README|index)\.md$/.test(source) ? [source, dirname(source), `${dirname(source)}/`] : [source];

function write(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function searchIndex(pages: (Rendered & { page: Page })[], sections: Section[]): object {
  const search = new MiniSearch(searchOptions);
  const sectionOf = new Map(sections.flatMap((section) => section.pages.map(({ url }) => [url, section.title])));
  for (const { page, parts } of pages) {
    for (const { heading, text } of parts) {
      const id = heading.level === 1 ? page.url : `${page.url}#${heading.anchor}`;
      search.add({ id, page: `${sectionOf.get(page.url)} · ${page.title}`, title: heading.text, text });
    }
  }
  return search.toJSON();
}

/** Returns the index for language models (https://llmstxt.org). */
function llmsText(sections: Section[]): string {
  const list = sections.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${markdownUrl(page)})`);
    return `## ${title}\n\n${links.join('\n')}\n`;
  });
  const summary = readFileSync(join(root, 'docs/index.md'), 'utf8').split('\n\n')[1]!.replaceAll('\n', ' ');
  return `# Tautan\n\n> ${summary}\n\nThe API as OpenAPI 3.1: /api/v1/openapi.json\n\n${list.join('\n')}`;
}
