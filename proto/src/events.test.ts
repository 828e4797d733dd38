import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { asyncApi } from './asyncapi.js';
import { eventCatalog, type EventDefinition, type EventType } from './event-catalog.js';
import { auditSummary, exampleWebhookBody, parseEvent, webhookBody } from './events.js';

type Loose = Record<string, unknown> & { data: Record<string, unknown> };
const types = Object.entries(eventCatalog as Record<string, EventDefinition>);

const sourceFile = (path: string): string => readFileSync(new URL(`../src/${path}`, import.meta.url), 'utf8');

test.each(types)(
  '%s is sent to the audit log or to webhooks, and its example is valid',
  (_type, { audit, webhook, data }) => {
    expect(audit !== undefined || webhook !== undefined).toBe(true);
    if (webhook !== undefined) expect(data.parse(webhook)).toEqual(webhook);
  },
);

test.each(types.filter(([, { webhook }]) => webhook !== undefined))(
  'the example of %s has changes if the event is an update, and its data has the new values',
  (type, { webhook, changes = {} }) => {
    if (/\.(updated|role_changed|expired)$/.test(type)) expect(changes).not.toEqual({});
    for (const [field, { before, after }] of Object.entries(changes)) {
      expect((webhook as Record<string, unknown>)[field]).toEqual(after);
      expect(before).not.toEqual(after);
    }
    const body = exampleWebhookBody(type, { webhook, changes });
    expect(webhookBody(type as EventType).parse(body)).toEqual(body);
  },
);

test.each(
  sourceFile('fixtures/events-0.1.ndjson')
    .trim()
    .split('\n')
    .map((line) => [(JSON.parse(line) as { type: string }).type, line] as const),
)(
  'parses a %s event of version 0.1 (a field that is later added to its record needs a default in `added`)',
  (type, line) => {
    const event = parseEvent(JSON.parse(line));
    expect(event).toMatchObject(JSON.parse(line) as object);
    expect(event.type).toBe(type);
  },
);

test('adds the fields that a domain event of version 0.1 lacks', () => {
  const line = sourceFile('fixtures/events-0.1.ndjson')
    .split('\n')
    .find((each) => each.includes('"domain.created"'))!;
  expect(line).not.toContain('brandName');
  expect(parseEvent(JSON.parse(line)).data).toMatchObject({ brandName: null, expiredUrl: null });
});

test.each([
  ['data.url', (event: Loose) => delete event.data['url']],
  ['data.status', (event: Loose) => (event.data['status'] = 'gone')],
  ['data', (event: Loose) => ((event as { data: unknown }).data = null)],
  ['at', (event: Loose) => (event['at'] = 'today')],
  ['type', (event: Loose) => (event['type'] = 7)],
])('rejects an event whose %s is missing or invalid, and names the field', (field, change) => {
  const event = JSON.parse(sourceFile('fixtures/events-0.1.ndjson').split('\n')[0]!) as Loose;
  change(event);
  expect(() => parseEvent(event)).toThrow(new RegExp(`^${field}\\b.{1,80}$`));
});

test.each([
  [{ id: 'evt_1', type: 'foo.bar', at: 'today' }, 'type: unknown event type "foo.bar"'],
  [null, 'event: Invalid input: expected object, received null'],
])('rejects %j with a one-line message that does not list the known types', (value, message) => {
  expect(() => parseEvent(value)).toThrow(new Error(message));
});

test('an audit summary is a sentence, or empty for actions that are not audited', () => {
  expect(auditSummary('tag.updated', 'Ayu', 'spring')).toBe('Ayu renamed the tag spring');
  expect(auditSummary('link.clicked', 'Ayu', 'spring')).toBe('');
  expect(auditSummary('what.ever', 'Ayu', 'spring')).toBe('');
});

test('asyncapi.json is up to date, has a message for each type, and a channel for each published type', () => {
  const root = new URL('../', import.meta.url);
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  const written = JSON.parse(readFileSync(new URL('asyncapi.json', root), 'utf8')) as {
    channels: object;
    components: { messages: object };
  };
  expect(written).toEqual(JSON.parse(JSON.stringify(asyncApi(version))));
  const names = types.map(([type]) => type);
  expect(Object.keys(written.components.messages)).toEqual(names);
  expect(Object.keys(written.channels)).toEqual(
    names.filter((type) => !/^(link\.clicked|qr_code\.scanned)$/.test(type)),
  );
});
