import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';

export const tags = {
  nav: { name: 'tags', icon: Tag, to: '/tags' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/tags',
    component: lazyRouteComponent(() => import('./tags-page.js'), 'TagsPage'),
  }),
} as const;
