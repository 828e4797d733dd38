import { linkRoutes } from './links.js';
import type { Route } from './route.js';
import { tagRoutes } from './tags.js';

/** The operations of the API, but for its own description. Adding one is adding a row to one of these lists. */
export const operations: readonly Route[] = [...linkRoutes, ...tagRoutes];
