import { apiKeys } from './api-keys/routes.js';
import { auditLog } from './audit-log/routes.js';
import { billing } from './billing/routes.js';
import { domains } from './domains/routes.js';
import { links } from './links/routes.js';
import { members } from './members/routes.js';
import { qrCodes } from './qr/routes.js';
import { settings } from './settings/routes.js';
import { statistics } from './statistics/routes.js';
import { tags } from './tags/routes.js';
import { webhooks } from './webhooks/routes.js';

/** All features, in the order of the main navigation. Adding one here adds its page and its navigation entry. */
export const features = [
  links,
  qrCodes,
  statistics,
  tags,
  domains,
  webhooks,
  auditLog,
  members,
  apiKeys,
  billing,
  settings,
] as const;
