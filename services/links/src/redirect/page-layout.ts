import { createHash } from 'node:crypto';

const style = `
:root{color-scheme:light dark;--ground:#f6f4ef;--card:#fff;--ink:#1d2430;--soft:#5b6574;--line:#e4e0d6;--accent:#0f766e}
@media (prefers-color-scheme:dark){:root{--ground:#12161c;--card:#1a2028;--ink:#eef1f5;--soft:#a3adba;--line:#2b333e;--accent:#5eead4}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{width:100%;max-width:30rem;padding:clamp(1.75rem,6vw,3rem);background:var(--card);border:1px solid var(--line);border-radius:1.25rem}
svg{display:block;margin-left:-.35rem;width:2.5rem;height:2.5rem;color:var(--accent)}
p.code{margin:1.75rem 0 0;font-size:.875rem;font-weight:600;color:var(--accent);font-variant-numeric:tabular-nums}
h1{margin:.25rem 0 .75rem;font-size:clamp(1.5rem,5vw,2rem);line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:pretty}
footer{margin-top:2rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:.875rem;color:var(--soft)}
`;

const mark =
  '<path fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" d="M13 19l6-6M15.500 9.500l2.300-2.300a5 5 0 0 1 7 7l-2.300 2.300M16.500 22.500l-2.300 2.300a5 5 0 0 1-7-7l2.300-2.300"/>';

/** The mark of the product as an SVG document of its own. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" color="#0f766e">${mark}</svg>`;

/** What the pages may load: their own style, the icon in their head, and nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface PageText {
  /** A small line over the heading; nothing on the landing page. */
  code: string;
  heading: string;
  text: string;
}

/** A whole HTML document around three constant texts (they are not escaped: nothing of a request belongs in them). */
export const htmlPage = ({ code, heading, text }: PageText): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading} · Tautan</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>${style}</style>
</head>
<body>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true">${mark}</svg>
<p class="code">${code}</p>
<h1>${heading}</h1>
<p>${text}</p>
<footer>Short links by Tautan</footer>
</main>
</body>
</html>
`;
