import { createHash } from 'node:crypto';
import type { HtmlPage } from '../routes/route.js';
import type { Context } from '../state.js';
import { pageStyle } from './style.js';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface PageContent {
  status?: number;
  heading: string;
  text: string;
  /** The primary action. */
  link: { href: string; label: string };
  /** Small print. */
  footer?: string[];
  /** Loads this URL after a number of seconds. */
  refresh?: { seconds: number; href: string };
}

/** Returns a page in the style of the gateway: self-contained, without scripts. All texts are escaped. */
export const htmlPage = ({ status = 200, heading, text, link, footer, refresh }: PageContent): HtmlPage => ({
  status,
  policy: POLICY,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
${refresh ? `<meta http-equiv="refresh" content="${refresh.seconds};url=${escaped(refresh.href)}">\n` : ''}<title>${escaped(heading)} · Tautan</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<p class="brand">Tautan</p>
<h1>${escaped(heading)}</h1>
<p>${escaped(text)}</p>
<a class="action" href="${escaped(link.href)}">${escaped(link.label)}</a>
${footer ? `<footer>${footer.map(escaped).join('<br>')}</footer>\n` : ''}</main>
</body>
</html>
`,
});

/** Sends a page; it is never cached. */
export function showPage(ctx: Context, { status, html, policy }: HtmlPage): void {
  ctx.status = status;
  ctx.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' });
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
