import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestUrl, formOf, Refusal, sendPage, type Page } from '@tautan/local-web';
import { ApiError } from '../api/errors.js';
import type { Invoice } from '../objects/invoices.js';
import { payInvoice } from '../objects/renewals.js';
import { isOver, paySession, successUrlOf, type Session } from '../objects/sessions.js';
import type { Sandbox } from '../sandbox.js';
import { checkoutPage, closedPage } from './checkout.js';
import { invoicePage } from './invoice.js';
import { failurePage, landingPage } from './messages.js';
import { visitPortal } from './portal-handler.js';

interface Deps {
  sandbox: Sandbox;
  baseUrl: string;
  onFailure: (error: unknown) => void;
}

/** A page with the allowed targets of its forms, or a URL to redirect to. */
type PageResult = { page: Page; formTargets?: string[] } | { location: string };

/** Returns the handler of the pages: checkouts, invoices, the customer portal, and a landing page. */
export function pageHandler({ sandbox, baseUrl, onFailure }: Deps) {
  async function show(request: IncomingMessage): Promise<PageResult> {
    const { pathname } = requestUrl(request, baseUrl);
    const isPost = request.method === 'POST';
    const [, kind, id = '', step] = /^\/(pay|invoices)\/(\w+)(?:\/(pay|decline))?$/.exec(pathname) ?? [];
    const [, secret, button] = /^\/portal\/(\w+)(?:\/(cancel|resume|card))?$/.exec(pathname) ?? [];
    const fields = isPost ? await formOf(request, baseUrl) : {};
    if (secret !== undefined && isPost === (button !== undefined))
      return visitPortal(sandbox, secret, button === undefined ? undefined : { button, fields });
    const tx = sandbox.transaction();
    const session = kind === 'pay' ? tx.get('session', id) : undefined;
    const invoice = kind === 'invoices' ? tx.get('invoice', id) : undefined;
    if (isPost && step === 'pay' && session) return pay(session);
    if (isPost && step === 'pay' && invoice) return payOpenInvoice(invoice);
    if (isPost === (step !== undefined) && session) return checkout(session, isPost);
    if (!isPost && step === undefined && invoice) return { page: invoicePage(invoice) };
    if (!isPost && pathname === '/') return { page: landingPage() };
    return { page: failurePage(404, 'Page not found', 'Check the URL.') };
  }

  function checkout(session: Session, isDeclined = false): PageResult {
    const tx = sandbox.transaction();
    if (isOver(session, tx.now)) return { page: closedPage(session) };
    const { items } = tx.find('purchase', session.id);
    const email = session.customer === null ? session.customer_email : tx.find('customer', session.customer).email;
    const view = { session, items: items.data, email, now: tx.now };
    return { page: checkoutPage(view, isDeclined), formTargets: [new URL(session.success_url).origin] };
  }

  async function pay(session: Session): Promise<PageResult> {
    // A second click must not pay twice.
    if (session.status === 'complete') return { location: successUrlOf(session) };
    if (isOver(session, sandbox.transaction().now)) return checkout(session);
    return { location: successUrlOf(await sandbox.change((tx) => paySession(tx, session.id))) };
  }

  async function payOpenInvoice({ id, status }: Invoice): Promise<PageResult> {
    try {
      if (status === 'open') await sandbox.change((tx) => payInvoice(tx, {}, id));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'card_declined') throw error;
      return { page: invoicePage(sandbox.transaction().find('invoice', id), true) };
    }
    return { location: `/invoices/${id}` };
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const shown = await show(request);
      await sandbox.settled();
      if ('page' in shown) sendPage(response, shown.page, shown.formTargets);
      else
        response.writeHead(303, { Location: shown.location, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
    } catch (error) {
      const isRefusal = error instanceof Refusal;
      if (!isRefusal) onFailure(error);
      sendPage(
        response,
        isRefusal
          ? failurePage(error.status, 'Something went wrong', error.message)
          : failurePage(500, 'Something went wrong', 'An internal error occurred. Try again in a moment.'),
      );
    }
  };
}
