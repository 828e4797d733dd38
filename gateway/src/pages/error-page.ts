import type { Context } from '../state.js';
import { htmlPage, showPage } from './page.js';

/** Responds to a failed sign-in with a page that shows the reason and a link to try again. */
export function errorPage(ctx: Context, status: number, { code, message }: { code: string; message: string }): void {
  const link = { href: '/api/v1/auth/authorize', label: 'Try again' };
  showPage(
    ctx,
    htmlPage({ status, heading: headingOf(status), text: message, link, footer: [code, ctx.state.requestId] }),
  );
}

function headingOf(status: number): string {
  if (status === 429) return 'Too many attempts';
  return status >= 500 ? 'Signing in is not possible right now' : 'You are not signed in';
}
