import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';
import { statisticsSearch } from '../statistics/range.js';
import { linkSearch } from './link-search.js';

const route = createRoute({ getParentRoute: () => shellRoute, path: '/links' });

export const listRoute = createRoute({
  getParentRoute: () => route,
  path: '/',
  validateSearch: linkSearch,
  component: lazyRouteComponent(() => import('./links-page.js'), 'LinksPage'),
});

const importRoute = createRoute({
  getParentRoute: () => route,
  path: 'import',
  component: lazyRouteComponent(() => import('../import-export/import-page.js'), 'ImportPage'),
});

export const linkRoute = createRoute({
  getParentRoute: () => route,
  path: '$linkId',
  validateSearch: statisticsSearch,
  component: lazyRouteComponent(() => import('./link-page.js'), 'LinkPage'),
});

export const links = {
  nav: { name: 'links', icon: Link2, to: '/links' },
  route: route.addChildren([listRoute, importRoute, linkRoute]),
} as const;
