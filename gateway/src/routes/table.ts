import { apiKeyRoutes } from './api-keys.js';
import { auditLogRoutes } from './audit-log.js';
import { authRoutes } from './auth.js';
import { billingRoutes } from './billing.js';
import { domainRoutes } from './domains.js';
import { linkRoutes } from './links.js';
import { memberRoutes } from './members.js';
import { qrCodeRoutes } from './qr-codes.js';
import { qrImageRoutes } from './qr-images.js';
import type { Route } from './route.js';
import { sessionRoutes } from './session.js';
import { userSessionRoutes } from './sessions.js';
import { signInRoutes } from './sign-in.js';
import { statsRoutes } from './stats.js';
import { tagRoutes } from './tags.js';
import { usageRoutes } from './usage.js';
import { webhookRoutes } from './webhooks.js';
import { workspaceRoutes } from './workspaces.js';

/** All operations of the API except the OpenAPI document. */
export const operations: readonly Route[] = [
  ...linkRoutes,
  ...qrImageRoutes,
  ...qrCodeRoutes,
  ...tagRoutes,
  ...domainRoutes,
  ...statsRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...billingRoutes,
  ...usageRoutes,
  ...auditLogRoutes,
  ...webhookRoutes,
  ...authRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...userSessionRoutes,
  ...apiKeyRoutes,
];
