import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';

export const members = {
  nav: { name: 'members', icon: Users, to: '/members' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/members',
    component: lazyRouteComponent(() => import('./members-page.js'), 'MembersPage'),
  }),
} as const;
