import { visitorPage, type Brand, type PageText } from '@tautan/kit';
import type { Context } from '../state.js';
import { showPage } from './page.js';

const texts: Record<number, PageText> = {
  400: {
    code: '400',
    heading: 'This image cannot be drawn',
    text: 'The address asks for a format or a size that does not exist. Ask whoever shared this address with you for a new one.',
  },
  404: {
    code: '404',
    heading: 'This image is not available',
    text: 'The address is wrong or has expired. Ask whoever shared it with you for a new one.',
  },
  429: {
    code: '429',
    heading: 'Too many requests',
    text: 'Too many requests came from your network. Try again in a moment.',
  },
};

const unavailable = {
  heading: 'Back in a moment',
  text: 'This image cannot be shown right now. Try again in a moment.',
};

/**
 * Responds with an error page to a browser that requested a QR code image with a download token. The page has the style
 * of the error pages of short links.
 */
export function visitorErrorPage(ctx: Context, status: number, brand: Brand): void {
  const text = texts[status] ?? { code: String(status), ...unavailable };
  const { html, contentSecurityPolicy } = visitorPage(text, brand);
  showPage(ctx, { status, html, policy: contentSecurityPolicy });
}
