import { describe, expect, test } from '@jest/globals';
import { defaultPlans, eventCatalogue, type JsonSchema } from '@tautan/proto';
import { deliverableTypes } from '../routes/event-types.js';
import { operations } from '../routes/table.js';
import { openApiDocument } from './document.js';

interface Operation {
  summary: string;
  description: string;
  parameters: { $ref: string }[];
  requestBody: { content: { 'application/json': { schema: JsonSchema; example: Record<string, unknown> } } };
  responses: object;
}
const { webhooks } = openApiDocument(operations, { plans: defaultPlans }) as {
  webhooks: Record<string, { post: Operation }>;
};

test('every deliverable type of the catalogue is described, and no other', () => {
  const deliverable = Object.entries(eventCatalogue).filter(([, definition]) => 'webhook' in definition);
  expect(Object.keys(webhooks)).toEqual(deliverable.map(([type]) => type));
  expect(Object.keys(webhooks)).toContain('webhook.test');
  expect(Object.keys(webhooks)).not.toContain('session.created');
});

describe.each(deliverableTypes.map((event) => [event.type, event] as const))('%s', (type, event) => {
  const { post } = webhooks[type]!;
  const { schema, example } = post.requestBody.content['application/json'];

  test('tells what it is and what causes it', () => {
    expect(post.summary).toBe(event.description);
    expect(post.description).toContain(event.trigger);
  });

  test('carries what the catalogue says: fields, types, example', () => {
    expect(event.data.parse(event.example)).toEqual(event.example);
    expect(example['data']).toEqual(event.example);
  });

  test('has a body of id, type, time, workspace and data, perhaps changes, and the headers of Standard Webhooks', () => {
    expect(schema['required']).toEqual(['id', 'type', 'createdAt', 'workspaceId', 'data']);
    expect(Object.keys(example)).toEqual(schema['required']);
    expect(example['type']).toBe(type);
    const properties = schema['properties'] as { type: JsonSchema };
    expect(Object.keys(properties)).toEqual([...(schema['required'] as string[]), 'changes']);
    expect(properties.type['const']).toBe(type);
    expect(post.parameters.map(({ $ref }) => $ref.split('/').at(-1))).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
  });
});
