import { createRootRoute, createRoute } from '@tanstack/react-router';

export const rootRoute = createRootRoute();

/** Parent of all pages for signed-in users. `router.tsx` sets its component, to avoid circular imports. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell' });
