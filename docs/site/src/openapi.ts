import { apiDocument, apiExamples } from '@tautan/gateway/openapi';

/** A JSON Schema or a reference to one. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  examples?: unknown[];
  format?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: Schema;
}

export interface Content {
  schema?: Schema;
}

export interface Response {
  description: string;
  content?: Record<string, Content>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  'x-person-only'?: boolean;
  parameters: (Parameter & { $ref?: string })[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response & { $ref?: string }>;
}

/** An operation with its method, path, and examples of its JSON bodies. */
export interface Endpoint extends Operation {
  method: string;
  path: string;
  examples: { body?: unknown; response?: unknown };
}

interface Document {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

export const document = apiDocument() as unknown as Document;

/** Returns the value that a reference (`#/components/…`) points to. Returns other values unchanged. */
export function resolve<T extends object>(value: T & { $ref?: string }): T {
  if (value.$ref === undefined) return value;
  const steps = value.$ref
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = steps.reduce((at, step) => (at as Record<string, unknown>)[step], document as unknown);
  return resolve(target as T & { $ref?: string });
}

export function endpoints(): Endpoint[] {
  const examples = apiExamples();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      parameters: operation.parameters.map((each) => resolve(each)),
      method: method.toUpperCase(),
      path,
      examples: examples[operation.operationId] ?? {},
    })),
  );
}
