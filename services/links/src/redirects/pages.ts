import { productIcon, visitorPage, type Brand, type PageText } from '@tautan/kit';

/** A prepared response with a body. */
export interface Page {
  status: number;
  /** Header fields: names and values in turn. */
  fields: readonly string[];
  body: Buffer;
}

/** A response in the two formats that visitors accept. */
export interface PagePair {
  html: Page;
  plain: Page;
}

const securityHeaders = (policy: string) => [
  'X-Robots-Tag',
  'noindex',
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  policy,
  'Referrer-Policy',
  'no-referrer',
];

function page(status: number, type: string, body: string, further: readonly string[]): Page {
  const bytes = Buffer.from(body);
  const fields = ['Content-Type', type, 'Content-Length', String(bytes.length), ...further];
  return { status, fields, body: bytes };
}

function pair(brand: Brand, { status, further = [], ...text }: Content): PagePair {
  const { html, contentSecurityPolicy } = visitorPage(text, brand);
  const fields = [
    'Cache-Control',
    'private, no-store',
    'Vary',
    'Accept',
    ...securityHeaders(contentSecurityPolicy),
    ...further,
  ];
  return {
    html: page(status, 'text/html; charset=utf-8', html, fields),
    plain: page(status, 'text/plain; charset=utf-8', `${text.heading}. ${text.text}\n`, fields),
  };
}

interface Content extends PageText {
  status: number;
  /** Further header fields. */
  further?: string[];
}

const contents = {
  landing: {
    status: 200,
    code: '',
    heading: 'Short links live here',
    text: 'This address redirects short links to their destinations. Open the complete short link that you received.',
  },
  not_found: {
    status: 404,
    code: '404',
    heading: 'This link leads nowhere',
    text: 'There is no short link at this address. Check the spelling, or ask whoever shared it with you.',
  },
  gone: {
    status: 410,
    code: '410',
    heading: 'This link is no longer available',
    text: 'It has expired or was disabled by its owner.',
  },
  bad_request: {
    status: 400,
    code: '400',
    heading: 'This address cannot be read',
    text: 'The requested address is not valid.',
  },
  method_not_allowed: {
    status: 405,
    code: '405',
    heading: 'Method not allowed',
    text: 'Only GET and HEAD requests are supported.',
    further: ['Allow', 'GET, HEAD', 'Connection', 'close'],
  },
  refused_unknown: {
    status: 429,
    code: '429',
    heading: 'Too many requests',
    text: 'Too many short links that do not exist were opened from your network. Try again in a minute.',
  },
  refused_limited: {
    status: 429,
    code: '429',
    heading: 'Too many requests',
    text: 'This link was opened too often from your network. Try again in a minute.',
  },
  error: {
    status: 500,
    code: '500',
    heading: 'Something went wrong',
    text: 'That was our fault. Try again in a moment.',
  },
  unavailable: {
    status: 503,
    code: '503',
    heading: 'Back in a moment',
    text: 'This link cannot be looked up right now. Try again in a few seconds.',
    further: ['Retry-After', '2'],
  },
} satisfies Record<string, Content>;

export type PageName = keyof typeof contents;
export type Pages = Record<PageName, PagePair>;

/** Renders every page with the name, logo and color of a brand. */
export const pagesOf = (brand: Brand): Pages =>
  Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, pair(brand, content)])) as Pages;

const staticHeaders = ['Cache-Control', 'public, max-age=86400', 'X-Content-Type-Options', 'nosniff'];

/** Allows crawlers to fetch short links, because only a crawler that fetches a redirect sees its noindex header. */
export const robots = page(
  200,
  'text/plain; charset=utf-8',
  'User-agent: *\nDisallow: /api/\nDisallow: /q/\nAllow: /\n',
  staticHeaders,
);

export const favicon = page(200, 'image/svg+xml', productIcon, [
  ...staticHeaders,
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; sandbox",
]);

/**
 * Returns whether an Accept header (RFC 9110, section 12.5.1) names text/html with a weight above 0. Wildcards do not
 * count.
 */
export const wantsHtml = (accept: string | undefined): boolean =>
  accept !== undefined && /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept);
