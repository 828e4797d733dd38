import type { JsonSchema, NamedSchemas } from '@tautan/proto';

/** An operation of the document, with the fields used here. */
export interface Operation extends JsonSchema {
  operationId: string;
  parameters: JsonSchema[];
  responses: NamedSchemas;
}
/** Operations by path and method. */
export type Paths = Record<string, Record<string, Operation>>;

interface Components {
  parameters: NamedSchemas;
  responses: NamedSchemas;
}

/**
 * Moves repeated parameters and responses of operations to `components`, and replaces them with references. Existing
 * references, such as those to error responses, stay unchanged. Resolving the added references yields the input again.
 */
export function shareRepeated(paths: Paths): { paths: Paths; components: Components } {
  const components: Components = { parameters: {}, responses: {} };
  const parameters = sharer(components.parameters, 'parameters');
  const responses = sharer(components.responses, 'responses');
  const visit = (each: (operation: Operation, path: string) => Operation): Paths =>
    Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, each(operation, path)])),
      ]),
    );
  visit((operation) => {
    operation.parameters.forEach(parameters.count);
    Object.values(operation.responses).forEach(responses.count);
    return operation;
  });
  const shared = visit((operation, path) => ({
    ...operation,
    parameters: operation.parameters.map((own) => parameters.refer(own, nameOf(own, path))),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, own]) => [status, responses.refer(own, operation.operationId)]),
    ),
  }));
  return { paths: shared, components };
}

/**
 * Returns the component name of a parameter. The name of a path parameter includes the path before it, because several
 * resources have a parameter `id`. For example, the `id` in `/api/v1/links/{id}/stats` is named `links.id`.
 */
function nameOf({ name, in: where }: JsonSchema, path: string): string {
  if (where !== 'path') return String(name);
  const [before = ''] = path.split(`/{${String(name)}}`);
  return [...before.replace(/^\/(api\/v1\/)?/, '').split('/'), name].join('.');
}

/** Counts values by content, and replaces repeated ones with a reference. */
function sharer(components: NamedSchemas, kind: string) {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  return {
    count: (value: JsonSchema): void => {
      const text = JSON.stringify(value);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    },
    refer: (value: JsonSchema, name: string): JsonSchema => {
      const text = JSON.stringify(value);
      if ('$ref' in value || (counts.get(text) ?? 0) < 2) return value;
      if (!names.has(text)) {
        // Another component has this name, as with `status` of links and of deliveries. This value stays inline.
        if (name in components) return value;
        names.set(text, name);
        components[name] = value;
      }
      return { $ref: `#/components/${kind}/${names.get(text)}` };
    },
  };
}
