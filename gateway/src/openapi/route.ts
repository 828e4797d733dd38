import { z } from 'zod';
import { route, type Route } from '../routes/route.js';
import { openApiDocument, type Installation } from './document.js';

const described = (description: string) => z.record(z.string(), z.unknown()).meta({ description, examples: [{}] });

/** The parts of every OpenAPI document. */
const document = z.looseObject({
  openapi: z.string().meta({ description: 'Version of the specification.', examples: ['3.1.0'] }),
  info: described('Title, version and introduction.'),
  paths: described('Operations by path and method.'),
  webhooks: described('The webhook that delivers events. The type of an event selects its schema.'),
  components: described('Shared schemas, responses, headers and parameters.'),
});

/**
 * Returns the operation that responds with the description of all operations, including itself. The document is created
 * on the first request, because creating it during startup would take a tenth of the startup time.
 */
export function openApiRoute(operations: readonly Route[], installation: Installation): Route {
  let text: string | undefined;
  const own: Route = route({
    id: 'getOpenApi',
    method: 'GET',
    path: '/api/v1/openapi.json',
    section: 'Description',
    constant: true,
    summary: 'Get this document',
    description: 'Returns the OpenAPI 3.1 description of the API. No credential is required.',
    request: {},
    success: {
      status: 200,
      description: 'The document.',
      other: [{ type: 'application/json', description: 'OpenAPI 3.1, without an envelope.', schema: document }],
    },
    errors: [],
    handle: () => ({
      text: (text ??= createDocument()),
      type: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=300',
    }),
  });
  const createDocument = () => JSON.stringify(openApiDocument([...operations, own], installation));
  return own;
}
