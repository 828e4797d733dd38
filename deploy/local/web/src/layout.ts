import { createHash } from 'node:crypto';
import { html, Html } from './html.js';
import { style } from './style.js';

const mark = new Html(
  '<path fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" d="M13 19l6-6M15.500 9.500l2.300-2.300a5 5 0 0 1 7 7l-2.300 2.300M16.500 22.500l-2.300 2.300a5 5 0 0 1-7-7l2.300-2.300"/>',
);

/** The product logo as an SVG document. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" color="#0f766e">${mark.text}</svg>`;

/** The style element. The hash in the content security policy covers its exact content. */
const styleElement = new Html(`<style>${style}</style>`);

/** A page, with its HTTP status. */
export interface Page {
  status: number;
  body: string;
  /** Value of Retry-After in seconds. */
  retryAfter?: number | undefined;
}

export interface PageContent {
  status?: number;
  title: string;
  /** Text below the heading. */
  lead?: Html | string;
  content?: Html;
  /** Footer below the content. */
  foot?: Html;
  /** A check mark or cross above the heading. */
  symbol?: 'done' | 'refused';
}

const symbols = {
  done: html`<span class="symbol done" aria-hidden="true"
    ><svg viewBox="0 0 24 24"><path d="M5 12.500l4.500 4.500L19 7.500" /></svg
  ></span>`,
  refused: html`<span class="symbol refused" aria-hidden="true"
    ><svg viewBox="0 0 24 24"><path d="M7 7l10 10M17 7L7 17" /></svg
  ></span>`,
};

/** Returns a complete document that loads no resources and runs no scripts. */
export function page({ status = 200, title, lead, content, foot, symbol }: PageContent): Page {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Tautan</title>
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}" />
        ${styleElement}
      </head>
      <body>
        <main>
          <p class="brand"><svg viewBox="0 0 32 32" aria-hidden="true">${mark}</svg>Tautan</p>
          ${symbol && symbols[symbol]}
          <h1>${title}</h1>
          ${lead && html`<p class="lead">${lead}</p>`} ${content} ${foot && html`<footer>${foot}</footer>`}
        </main>
      </body>
    </html>`;
  return { status, body: document.text };
}

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Returns the headers of a page. Forms are sent to this origin, which may redirect to one of `formTargets`. Browsers
 * apply `form-action` to redirects as well, so the policy lists these targets.
 */
export const pageHeaders = (formTargets: readonly string[] = []): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    'img-src data:',
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // With `no-referrer`, browsers send `Origin: null` with forms.
  'Referrer-Policy': 'same-origin',
});
