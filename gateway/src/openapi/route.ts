import { z } from 'zod';
import { route, type Route } from '../routes/route.js';
import { openApiDocument, type Installation } from './document.js';

const described = (what: string) => z.record(z.string(), z.unknown()).meta({ description: what, examples: [{}] });

/** The parts of an OpenAPI document that every one has. */
const document = z.looseObject({
  openapi: z.string().meta({ description: 'Version of the specification.', examples: ['3.1.0'] }),
  info: described('Title, version and introduction.'),
  paths: described('Operations by path and method.'),
  webhooks: described('Events that are sent, by type.'),
  components: described('Schemas, responses, headers and parameters that the others refer to.'),
});

/** The operation that answers the description of all operations, its own included; made once. */
export function describeRoute(operations: readonly Route[], installation: Installation): Route {
  const own: Route = route({
    id: 'getOpenApi',
    method: 'GET',
    path: '/api/v1/openapi.json',
    section: 'Description',
    constant: true,
    summary: 'Get this document',
    description: 'The OpenAPI 3.1 description of the API; no credential is needed.',
    request: {},
    success: {
      status: 200,
      description: 'The document.',
      other: [{ type: 'application/json', description: 'OpenAPI 3.1, without an envelope.', schema: document }],
    },
    errors: [],
    handle: () => ({ text, type: 'application/json; charset=utf-8', cacheControl: 'public, max-age=300' }),
  });
  const text = JSON.stringify(openApiDocument([...operations, own], installation));
  return own;
}
