import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { tabWorkspace } from '../api/client.js';
import { features } from '../features/features.js';
import { ErrorPage, NotFoundPage } from './error-pages.js';
import { Root } from './root.js';
import { rootRoute, shellRoute } from './shell-route.js';
import { Shell } from './shell.js';
import { SignedInPage, SignedOutPage } from './sign-in.js';

const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  // The URL in an invitation contains the workspace to start in.
  validateSearch: ({ workspace }): { workspace?: string } => (typeof workspace === 'string' ? { workspace } : {}),
  beforeLoad: ({ search: { workspace } }) => {
    if (workspace !== undefined) tabWorkspace.set(workspace);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router's way to redirect
    throw redirect({ to: features[0].nav.to, replace: true });
  },
});
const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage });
const signedInRoute = createRoute({ getParentRoute: () => rootRoute, path: '/signed-in', component: SignedInPage });
const signedOutRoute = createRoute({ getParentRoute: () => rootRoute, path: '/signed-out', component: SignedOutPage });

const routeTree = rootRoute
  .update({ component: Root })
  .addChildren([
    signedInRoute,
    signedOutRoute,
    shellRoute
      .update({ component: Shell })
      .addChildren([startRoute, ...features.map(({ route }) => route), unknownRoute]),
  ]);

export const router = createRouter({
  routeTree,
  basepath: '/app',
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
