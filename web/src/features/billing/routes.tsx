import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { CreditCard } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';

export const billing = {
  nav: { name: 'billing', icon: CreditCard, to: '/billing' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/billing',
    component: lazyRouteComponent(() => import('./billing-page.js'), 'BillingPage'),
  }),
} as const;
