import { describe, expect, test } from '@jest/globals';
import { defaultPlans, deliverableEvents, eventCatalog, type JsonSchema } from '@tautan/proto';
import { operations } from '../routes/table.js';
import { openApiDocument } from './document.js';

interface Schema {
  description: string;
  allOf: [{ $ref: string }, { properties: { type: JsonSchema; data: JsonSchema }; required: string[] }];
}
const document = openApiDocument(operations, { plans: defaultPlans }) as {
  webhooks: {
    event: {
      post: {
        parameters: { $ref: string }[];
        requestBody: {
          content: { 'application/json': { schema: { oneOf: { $ref: string }[]; discriminator: object } } };
        };
      };
    };
  };
  components: { schemas: Record<string, Schema> & { Event: JsonSchema } };
};
const { post } = document.webhooks.event;
const { schema } = post.requestBody.content['application/json'];

test('the body of an event has one of the schemas of the deliverable types', () => {
  const deliverable = Object.entries(eventCatalog).filter(([, definition]) => 'webhook' in definition);
  const types = schema.oneOf.map(({ $ref }) => $ref.replace('#/components/schemas/', ''));
  expect(types).toEqual(deliverable.map(([type]) => type));
  expect(types).toContain('webhook.test');
  expect(types).not.toContain('session.created');
  expect(schema.discriminator).toEqual({ propertyName: 'type' });
});

test('an event has the headers of Standard Webhooks', () => {
  expect(post.parameters.map(({ $ref }) => $ref.split('/').at(-1))).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
});

test('an event has an id, time and workspace, and possibly `changes`', () => {
  const { Event: event } = document.components.schemas;
  expect(event['required']).toEqual(['id', 'createdAt', 'workspaceId']);
  expect(Object.keys(event['properties'] as object)).toEqual(['id', 'createdAt', 'workspaceId', 'changes']);
});

describe.each(deliverableEvents.map((event) => [event.type, event] as const))('%s', (type, event) => {
  const { description, allOf } = document.components.schemas[type]!;

  test('has the description and the trigger of the catalog', () => {
    expect(description).toContain(event.description);
    expect(description).toContain(event.trigger);
  });

  test('has a valid example in the catalog', () => {
    expect(event.data.parse(event.example.data)).toEqual(event.example.data);
  });

  test('extends the common fields with its type and its data', () => {
    const [common, own] = allOf;
    expect(common.$ref).toBe('#/components/schemas/Event');
    expect(own.properties.type['const']).toBe(type);
    expect(own.required.toSorted()).toEqual(['data', 'type']);
  });
});
