import { posix } from 'node:path';
import hljs from 'highlight.js';
import MarkdownIt, { type Token } from 'markdown-it';

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

/** A rendered page. */
export interface Rendered {
  html: string;
  headings: Heading[];
  /** The text under each heading, for the search index. The heading of the first part is the title of the page. */
  parts: { heading: Heading; text: string }[];
}

/** Returns the URL of a page by its source path, or undefined for files that are not on the site. */
export type UrlOf = (source: string) => string | undefined;

const markdown = new MarkdownIt({ html: false, linkify: false });

/** An explicit anchor, which is the only HTML that is allowed in Markdown. */
const explicitAnchor = /<a id="([\w-]+)"><\/a>/g;
/** Placeholder of an anchor during rendering. */
const marker = /\uE000([\w-]+)\uE001/g;

/** Renders the Markdown of a page. `source` is its path in the repository. */
export function render(text: string, source: string, urlOf: UrlOf): Rendered {
  const tokens = markdown.parse(text.replace(explicitAnchor, '\uE000$1\uE001'), {});
  const headings: Heading[] = [];
  const parts: Rendered['parts'] = [];
  tokens.forEach((token, i) => {
    const inline = tokens[i + 1];
    if (token.type === 'heading_open' && inline) {
      const heading = { level: Number(token.tag.slice(1)), text: textOf(inline), anchor: '' };
      heading.anchor = uniqueAnchor(heading.text, headings);
      headings.push(heading);
      parts.push({ heading, text: '' });
      token.attrSet('id', heading.anchor);
    } else if (token.type === 'inline' && tokens[i - 1]?.type !== 'heading_open' && parts.length > 0) {
      parts.at(-1)!.text += `${textOf(token)} `;
    }
    if (token.children) resolveLinks(token.children, source, urlOf);
  });
  const html = markdown.renderer.render(grouped(tokens), markdown.options, {});
  return { html: html.replace(marker, '<span id="$1"></span>'), headings, parts };
}

const textOf = ({ children }: Token): string =>
  (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content.replace(marker, ''))).join('');

/** Returns the anchor of a heading, as on GitHub. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function uniqueAnchor(text: string, earlier: readonly Heading[]): string {
  const anchor = anchorOf(text);
  const taken = earlier.filter((each) => anchorOf(each.text) === anchor).length;
  return taken === 0 ? anchor : `${anchor}-${taken}`;
}

/** Rewrites links to pages of the site. Links to other files of the repository become plain text. */
function resolveLinks(tokens: Token[], source: string, urlOf: UrlOf): void {
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = resolved(String(token.attrGet('href') ?? ''), source, urlOf);
      isDropped = href === undefined;
      if (href !== undefined) token.attrSet('href', href);
    }
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
      isDropped = token.type === 'link_open';
      token.type = 'text';
      token.content = '';
    }
  }
}

function resolved(href: string, source: string, urlOf: UrlOf): string | undefined {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const url = urlOf(posix.join(posix.dirname(source), path));
  return url === undefined || anchor === undefined ? url : `${url}#${anchor}`;
}

/** Wraps each run of adjacent code blocks that name a tab (` ```sh tab=curl `) in one element. */
function grouped(tokens: Token[]): Token[] {
  const isTab = (token: Token | undefined): boolean => token?.type === 'fence' && tabOf(token) !== undefined;
  return tokens.flatMap((token, i) => {
    if (!isTab(token)) return [token];
    const [before, after] = [isTab(tokens[i - 1]), isTab(tokens[i + 1])];
    return [...(before ? [] : [htmlBlock('<div class="tabs">')]), token, ...(after ? [] : [htmlBlock('</div>')])];
  });
}

function htmlBlock(content: string): Token {
  const { Token: HtmlToken } = new markdown.core.State('', markdown, {});
  return Object.assign(new HtmlToken('html_block', '', 0), { content });
}

const tabOf = ({ info }: Token): string | undefined => /\btab=(\S+)/.exec(info)?.[1];

markdown.renderer.rules['fence'] = (tokens, at) => {
  const token = tokens[at]!;
  const language = /^\w*/.exec(token.info)![0];
  const code = hljs.getLanguage(language)
    ? hljs.highlight(token.content, { language }).value
    : markdown.utils.escapeHtml(token.content);
  const tab = tabOf(token);
  const label = tab === undefined ? '' : ` data-tab="${markdown.utils.escapeHtml(tab)}"`;
  return `<div class="code"${label}><pre><code>${code}</code></pre></div>\n`;
};
markdown.renderer.rules['table_open'] = () => '<div class="table"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
