import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ChartLine } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';
import { statisticsSearch } from './range.js';

export const statistics = {
  nav: { name: 'statistics', icon: ChartLine, to: '/statistics' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/statistics',
    validateSearch: statisticsSearch,
    component: lazyRouteComponent(() => import('./statistics-page.js'), 'StatisticsPage'),
  }),
} as const;
