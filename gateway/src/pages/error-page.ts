import { createHash } from 'node:crypto';
import type { Context } from '../state.js';
import { pageStyle } from './style.js';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const AGAIN = '/api/v1/auth/authorize';

/** Answers a sign-in that failed with a page that says why and lets the person try again; it loads nothing else. */
export function errorPage(ctx: Context, status: number, { code, message }: { code: string; message: string }): void {
  ctx.status = status;
  ctx.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page(headingOf(status), message, [code, ctx.state.requestId]);
}

function headingOf(status: number): string {
  if (status === 429) return 'Too many attempts';
  return status >= 500 ? 'Signing in is not possible right now' : 'You are not signed in';
}

const page = (heading: string, text: string, reference: string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading} · Tautan</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<p class="brand">Tautan</p>
<h1>${heading}</h1>
<p>${escaped(text)}</p>
<a class="again" href="${AGAIN}">Try again</a>
<footer>${reference.map(escaped).join('<br>')}</footer>
</main>
</body>
</html>
`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
