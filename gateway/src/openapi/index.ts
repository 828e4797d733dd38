import { defaultPlans } from '@tautan/proto';
import { operations } from '../routes/table.js';
import { openApiDocument } from './document.js';
import type { JsonSchema } from '@tautan/proto';
import { describeRoute } from './route.js';

/** Returns the OpenAPI document of the API with the default plans, as clients are generated from it. */
export function apiDocument(): JsonSchema {
  const installation = { plans: defaultPlans };
  return openApiDocument([...operations, describeRoute(operations, installation)], installation);
}
