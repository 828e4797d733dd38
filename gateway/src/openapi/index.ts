import { defaultPlans, type JsonSchema } from '@tautan/proto';
import { operations } from '../routes/table.js';
import { openApiDocument } from './document.js';
import { exampleOf } from './responses.js';
import { openApiRoute } from './route.js';

/** Returns an example request body and an example successful response (with the envelope), by operation id. */
export const apiExamples = (): Record<string, { body: unknown; response: unknown }> =>
  Object.fromEntries(
    operations.map((route) => [route.id, { body: route.request.bodyExample, response: exampleOf(route) }]),
  );

/** Returns the OpenAPI document of the API, with the default plans. Clients are generated from this document. */
export function apiDocument(): JsonSchema {
  const installation = { plans: defaultPlans };
  return openApiDocument([...operations, openApiRoute(operations, installation)], installation);
}
