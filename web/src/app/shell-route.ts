import { createRootRoute, createRoute } from '@tanstack/react-router';

export const rootRoute = createRootRoute();

/** Parent of all pages for signed-in users. Its component is set by the router, so that features can import it. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell' });
