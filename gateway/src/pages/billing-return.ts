import type { CheckoutStateMessage } from '@tautan/proto';
import type { HtmlPage } from '../routes/route.js';
import { htmlPage, type PageContent } from './page.js';

/** Where the pages link to, except those that wait. Not `/`, which may redirect to another site. */
const billingLink = { href: '/app/billing', label: 'Go to billing' };
/** Maximum number of automatic refreshes of a waiting page. */
const MAX_REFRESHES = 40;
/** Number of refreshes at intervals of two seconds. Later ones are ten seconds apart. */
const QUICK_REFRESHES = 15;

/** The checkout session of the page, and the number of refreshes so far. */
export interface Visit {
  session: string;
  refreshes: number;
}

/** The page after a return from the customer portal. */
export const portalReturnPage = (): HtmlPage =>
  htmlPage({
    heading: 'You are back from the customer portal',
    text: 'Your changes take effect in a moment. You can close this page.',
    link: billingLink,
  });

/** The page for an unknown checkout. */
export const unknownCheckoutPage = (): HtmlPage =>
  htmlPage({
    heading: 'Nothing to show here',
    text: 'This URL does not belong to a recent checkout. Your current plan and all payments are shown on the billing page of your workspace.',
    link: billingLink,
  });

/** The page shown while the payment provider is unavailable. */
export const unavailablePage = (visit: Visit): HtmlPage =>
  htmlPage({
    status: 503,
    heading: 'We cannot check the payment right now',
    text: 'If you have paid, your plan will change without any action from you. Please do not pay again.',
    ...waiting(visit),
  });

/** The page that shows the state of a checkout, as the payment provider reports it. */
export function checkoutPage({ status, plan, applied }: CheckoutStateMessage, visit: Visit): HtmlPage {
  if (status === 'paid') return htmlPage(paid(plan, applied, visit));
  if (status === 'processing') {
    return htmlPage({
      heading: 'Your payment is being processed',
      text: 'Your bank has not confirmed the payment yet. Your plan changes as soon as it does. You can close this page.',
      ...waiting(visit),
    });
  }
  const content = unpaid[status];
  return content ? htmlPage({ ...content, link: billingLink }) : unknownCheckoutPage();
}

function paid(plan: string | undefined, applied: boolean, visit: Visit): PageContent {
  const name = plan === undefined ? 'your new plan' : `the ${plan} plan`;
  if (applied) {
    const text = `Thank you. The payment was received, and your workspace now has ${name}. You can close this page.`;
    return { heading: plan === undefined ? 'You have a new plan' : `You are on ${plan}`, text, link: billingLink };
  }
  const text = `Thank you. The payment was received, and ${name} takes effect in a moment. You do not need to do anything else.`;
  return { heading: 'Payment received', text, ...waiting(visit) };
}

const unpaid: Record<string, Omit<PageContent, 'link'>> = {
  open: {
    heading: 'Checkout canceled',
    text: 'You left the checkout before paying. Nothing was charged, and your plan has not changed.',
  },
  expired: {
    heading: 'This checkout has expired',
    text: 'It was not paid in time. Nothing was charged, and your plan has not changed. Start a new checkout to buy a plan.',
  },
  failed: {
    heading: 'The payment failed',
    text: 'Your bank declined the payment, and your plan has not changed. Start a new checkout and try again, or use another card.',
  },
};

/** Returns the link of a waiting page and, up to the maximum number of refreshes, its next automatic refresh. */
function waiting({ session, refreshes }: Visit): Pick<PageContent, 'link' | 'refresh'> {
  const again = `/app/billing/return?session=${encodeURIComponent(session)}`;
  const link = { href: again, label: 'Check again' };
  if (refreshes >= MAX_REFRESHES) return { link };
  return {
    link,
    refresh: { seconds: refreshes < QUICK_REFRESHES ? 2 : 10, href: `${again}&refreshes=${refreshes + 1}` },
  };
}
