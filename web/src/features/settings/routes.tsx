import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';

export const settings = {
  nav: { name: 'settings', icon: Settings, to: '/settings' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings-page.js'), 'SettingsPage'),
  }),
} as const;
