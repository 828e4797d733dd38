import { apiKeyRoutes } from './api-keys.js';
import { authRoutes } from './auth.js';
import { linkRoutes } from './links.js';
import { memberRoutes } from './members.js';
import type { Route } from './route.js';
import { sessionRoutes } from './session.js';
import { signInRoutes } from './sign-in.js';
import { tagRoutes } from './tags.js';
import { workspaceRoutes } from './workspaces.js';

/** The operations of the API, but for its own description. Adding one is adding a row to one of these lists. */
export const operations: readonly Route[] = [
  ...linkRoutes,
  ...tagRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...authRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...apiKeyRoutes,
];
