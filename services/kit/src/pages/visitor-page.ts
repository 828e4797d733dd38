import { createHash } from 'node:crypto';
import { PRODUCT_COLOR, PRODUCT_NAME, textOn, type Brand } from './brand.js';

/** The texts of a page. */
export interface PageText {
  /** HTTP status code, shown in a small line above the heading. Empty for a page without this line. */
  code: string;
  heading: string;
  text: string;
}

/** An HTML document and its Content-Security-Policy, which allows its style, icon and logo. */
export interface VisitorPage {
  html: string;
  contentSecurityPolicy: string;
}

const style = `
:root{color-scheme:light dark;--ground:#f6f4ef;--card:#fff;--ink:#1d2430;--soft:#5b6574;--line:#e4e0d6}
@media (prefers-color-scheme:dark){:root{--ground:#12161c;--card:#1a2028;--ink:#eef1f5;--soft:#a3adba;--line:#2b333e}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{width:100%;max-width:30rem;padding:clamp(1.75rem,6vw,3rem);background:var(--card);border:1px solid var(--line);border-top:.375rem solid var(--brand);border-radius:1.25rem}
header{display:flex;align-items:center;gap:.75rem;font-weight:600;overflow-wrap:anywhere}
header img{display:block;max-width:100%;max-height:3rem}
.badge{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:.75rem;background:var(--brand);color:var(--on-brand);font-size:1.25rem;line-height:1}
.badge svg{width:1.75rem;height:1.75rem}
.code{margin:1.75rem 0 0;font-size:.875rem;font-weight:600;color:var(--soft);font-variant-numeric:tabular-nums}
h1{margin:.25rem 0 .75rem;font-size:clamp(1.5rem,5vw,2rem);line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
header+h1{margin-top:1.75rem}
p{margin:0;color:var(--soft);text-wrap:pretty}
footer{margin-top:2rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:.875rem;color:var(--soft);overflow-wrap:anywhere}
`;

const mark =
  '<path fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" d="M13 19l6-6M15.500 9.500l2.300-2.300a5 5 0 0 1 7 7l-2.300 2.300M16.500 22.500l-2.300 2.300a5 5 0 0 1-7-7l2.300-2.300"/>';

const iconOf = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" color="${color}">${mark}</svg>`;

/** The product's mark as an SVG document. */
export const productIcon = iconOf(PRODUCT_COLOR);

/** Returns a self-contained, responsive page for visitors, with a light and a dark theme. */
export function visitorPage({ code, heading, text }: PageText, brand: Brand): VisitorPage {
  const { color } = brand;
  const ownStyle = `:root{--brand:${color};--on-brand:${textOn(color)}}${style}`;
  const name = escaped(brand.name);
  const icon = brand.logo ?? `data:image/svg+xml,${encodeURIComponent(iconOf(color))}`;
  return {
    contentSecurityPolicy: policyOf(ownStyle, brand.logo),
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(heading)} · ${name}</title>
<link rel="icon" href="${escaped(icon)}">
<style>${ownStyle}</style>
</head>
<body>
<main>
<header>${headerOf(brand)}</header>
${code === '' ? '' : `<p class="code">${escaped(code)}</p>\n`}<h1>${escaped(heading)}</h1>
<p>${escaped(text)}</p>
<footer>Short links by ${name}</footer>
</main>
</body>
</html>
`,
  };
}

function headerOf({ name, logo }: Brand): string {
  if (logo !== null) return `<img src="${escaped(logo)}" alt="${escaped(name)}">`;
  const sign = name === PRODUCT_NAME ? `<svg viewBox="0 0 32 32">${mark}</svg>` : escaped([...name][0]!.toUpperCase());
  return `<span class="badge" aria-hidden="true">${sign}</span>${escaped(name)}`;
}

const policyOf = (ownStyle: string, logo: string | null): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(ownStyle).digest('base64')}'`,
    `img-src data:${logo === null || logo.startsWith('data:') ? '' : ` ${new URL(logo).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
