import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';

export const statuses = ['pending', 'succeeded', 'failed'] as const;

/** Query parameters of the page: the filters of the deliveries, and the delivery that is open. */
export interface WebhookSearch {
  endpoint?: string;
  status?: (typeof statuses)[number];
  delivery?: string;
}

function webhookSearch({ endpoint, status, delivery }: Record<string, unknown>): WebhookSearch {
  const known = statuses.find((each) => each === status);
  return {
    ...(typeof endpoint === 'string' && { endpoint }),
    ...(known && { status: known }),
    ...(typeof delivery === 'string' && { delivery }),
  };
}

export const webhooks = {
  nav: { name: 'webhooks', icon: Webhook, to: '/webhooks' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/webhooks',
    validateSearch: webhookSearch,
    component: lazyRouteComponent(() => import('./webhooks-page.js'), 'WebhooksPage'),
  }),
} as const;
