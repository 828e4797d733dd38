import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';

export const domains = {
  nav: { name: 'domains', icon: Globe, to: '/domains' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/domains',
    component: lazyRouteComponent(() => import('./domains-page.js'), 'DomainsPage'),
  }),
} as const;
