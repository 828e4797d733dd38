import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { asyncApi } from './asyncapi.js';
import { auditSummary, eventCatalogue, type EventDefinition } from './events.js';

const types = Object.entries(eventCatalogue as Record<string, EventDefinition>);

test.each(types)('%s has a reader, and an example that is one', (_type, { audit, webhook, data }) => {
  expect(audit !== undefined || webhook !== undefined).toBe(true);
  if (webhook !== undefined) expect(data.parse(webhook)).toEqual(webhook);
});

test('an audit summary is a sentence', () => {
  expect(auditSummary('tag.updated', 'Ayu', 'spring')).toBe('Ayu renamed the tag spring');
  expect(auditSummary('link.clicked', 'Ayu', 'spring')).toBe('');
  expect(auditSummary('what.ever', 'Ayu', 'spring')).toBe('');
});

test('asyncapi.json is what the catalogue says, each type once', () => {
  const root = new URL('../', import.meta.url);
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  const written = JSON.parse(readFileSync(new URL('asyncapi.json', root), 'utf8')) as { channels: object };
  expect(written).toEqual(JSON.parse(JSON.stringify(asyncApi(version))));
  expect(Object.keys(written.channels)).toEqual(types.map(([type]) => type));
});
