import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiPages } from './api-reference.js';
import { eventsPage } from './events.js';
import { root } from './root.js';

/** A page of the site. */
export interface Page {
  url: string;
  /** Path of the Markdown file in the repository; for a generated page, the path that its file would have. */
  source: string;
  title: string;
  markdown: string;
  /** Whether the navigation contains the page. */
  isListed: boolean;
}

export interface Section {
  title: string;
  pages: Page[];
}

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)![1]!.replaceAll('`', '');

/** Returns the page of a Markdown text. */
function pageOf(source: string, markdown: string, url = urlOf(source), isListed = true): Page {
  return { url, source, title: titleOf(markdown), markdown, isListed };
}

const urlOf = (source: string): string => `/${source.replace(/\.md$/, '').replace(/\/(README|index)$/, '')}`;

const fromFile = (source: string, url?: string, isListed = true): Page =>
  pageOf(source, readFileSync(join(root, source), 'utf8'), url ?? urlOf(source), isListed);

const operations = [
  'README',
  'install',
  'compose',
  'versions',
  'sizing',
  'performance',
  'backup',
  'upgrade',
  'secrets',
  'disasters',
  'scale-out',
  'tracing',
];

/** Returns the runbooks and a page that lists them. */
function runbooks(): Page[] {
  const folder = 'docs/operations/runbooks';
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md'));
  const pages = files.toSorted().map((file) => fromFile(`${folder}/${file}`, undefined, false));
  const list = pages.map(({ title, source }) => `- [${title}](${source.split('/').at(-1)})`).join('\n');
  return [pageOf(`${folder}/README.md`, `# Runbooks\n\nOne page for each alert.\n\n${list}\n`), ...pages];
}

const guides = ['first-link', 'custom-domain', 'qr-codes', 'webhooks', 'migrate'];

/** Returns all pages in navigation order. */
export const readSections = (): Section[] => [
  { title: 'Start', pages: [{ ...fromFile('docs/index.md'), title: 'Overview' }, fromFile('docs/quickstart.md')] },
  { title: 'Guides', pages: guides.map((name) => fromFile(`docs/guides/${name}.md`)) },
  {
    title: 'Tools',
    pages: [
      { ...fromFile('sdk/README.md', '/docs/sdk'), title: 'SDK' },
      { ...fromFile('cli/README.md', '/docs/cli'), title: 'CLI' },
    ],
  },
  {
    title: 'API reference',
    pages: [
      ...apiPages().map(({ name, markdown }) => pageOf(`docs/api/${name}.md`, markdown)),
      pageOf('docs/events.md', eventsPage()),
    ],
  },
  {
    title: 'Operations',
    pages: [...operations.map((name) => fromFile(`docs/operations/${name}.md`)), ...runbooks()],
  },
  { title: 'Releases', pages: [fromFile('CHANGELOG.md', '/docs/changelog')] },
];
