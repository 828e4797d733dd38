import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { QrCode } from 'lucide-react';
import { shellRoute } from '../../app/shell-route.js';
import { statisticsSearch } from '../statistics/range.js';

export const statuses = ['active', 'expired', 'archived'] as const;
export type Status = (typeof statuses)[number];

/** The filters of the QR code list, as query parameters of the page's URL. */
export interface QrSearch {
  q?: string;
  tag?: string;
  status?: Status;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function qrSearch(search: Record<string, unknown>): QrSearch {
  const [q, tag] = [text(search['q']), text(search['tag'])];
  const status = statuses.find((each) => each === search['status']);
  return { ...(q && { q }), ...(tag && { tag }), ...(status && { status }) };
}

const parent = createRoute({ getParentRoute: () => shellRoute, path: '/qr-codes' });

export const listRoute = createRoute({
  getParentRoute: () => parent,
  path: '/',
  validateSearch: qrSearch,
  component: lazyRouteComponent(() => import('./qr-list-page.js'), 'QrListPage'),
});
export const newRoute = createRoute({
  getParentRoute: () => parent,
  path: '/new',
  // `link` is the id of the link that is preselected as the destination of the new QR code.
  validateSearch: ({ link }: Record<string, unknown>): { link?: string } => (typeof link === 'string' ? { link } : {}),
  component: lazyRouteComponent(() => import('./studio-page.js'), 'NewQrPage'),
});
export const qrRoute = createRoute({
  getParentRoute: () => parent,
  path: '/$id',
  component: lazyRouteComponent(() => import('./studio-page.js'), 'EditQrPage'),
});
export const qrStatisticsRoute = createRoute({
  getParentRoute: () => parent,
  path: '/$id/statistics',
  validateSearch: statisticsSearch,
  component: lazyRouteComponent(() => import('./qr-statistics-page.js'), 'QrStatisticsPage'),
});

export const qrCodes = {
  nav: { name: 'qrCodes', icon: QrCode, to: '/qr-codes' },
  route: parent.addChildren([listRoute, newRoute, qrRoute, qrStatisticsRoute]),
} as const;
