import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';

export const apiKeys = {
  nav: { name: 'apiKeys', icon: KeyRound, to: '/api-keys', role: 'admin' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/api-keys',
    component: lazyRouteComponent(() => import('./api-keys-page.js'), 'ApiKeysPage'),
  }),
} as const;
