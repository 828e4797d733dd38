import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';

/** Filters of the audit log in the URL of the page. */
export interface AuditSearch {
  action?: string;
  actor?: string;
  target?: string;
  from?: string;
  to?: string;
}

const names = ['action', 'actor', 'target', 'from', 'to'] as const;

/** Returns the filters that are set. */
export const filtersIn = (values: Record<string, unknown>): AuditSearch =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );

export const auditLog = {
  nav: { name: 'auditLog', icon: ScrollText, to: '/audit-log', role: 'admin' },
  route: createRoute({
    getParentRoute: () => shellRoute,
    path: '/audit-log',
    validateSearch: filtersIn,
    component: lazyRouteComponent(() => import('./audit-log-page.js'), 'AuditLogPage'),
  }),
} as const;
