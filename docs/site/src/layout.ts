import type { Rendered } from './markdown.js';
import type { Page, Section } from './pages.js';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!);

/** Returns the HTML document of a page, without inline scripts and styles, for a strict content security policy. */
export function layout(page: Page, { html, headings }: Rendered, sections: Section[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${page.url === '/docs' ? 'Tautan documentation' : `${escaped(page.title)} · Tautan`}</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/site.css">
<link rel="alternate" type="text/markdown" href="${markdownUrl(page)}">
<script src="/docs/assets/theme.js"></script>
<script type="module" src="/docs/assets/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="28" height="28">Tautan <span>documentation</span></a>
<search><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ol id="results" hidden></ol></search>
<button id="theme" type="button" aria-label="Switch between light and dark">◐</button>
</header>
<div class="frame">
<nav aria-label="Pages"><details open><summary>All pages</summary>${sections.map((section) => navigation(section, page)).join('')}</details></nav>
<main id="content">
${html}
<footer><a href="${markdownUrl(page)}">This page as Markdown</a></footer>
</main>
${contents(headings)}
</div>
</body>
</html>
`;
}

export const markdownUrl = ({ url }: Page): string => (url === '/docs' ? '/docs/index.md' : `${url}.md`);

function navigation({ title, pages }: Section, current: Page): string {
  const items = pages
    .filter(({ isListed }) => isListed)
    .map(({ url, title: name }) => {
      const mark = url === current.url ? ' aria-current="page"' : '';
      return `<li><a href="${url}"${mark}>${escaped(name)}</a></li>`;
    });
  return `<h2>${escaped(title)}</h2><ul>${items.join('')}</ul>`;
}

function contents(headings: Rendered['headings']): string {
  const items = headings
    .filter(({ level }) => level === 2)
    .map(({ text, anchor }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`);
  if (items.length < 2) return '';
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></aside>`;
}
