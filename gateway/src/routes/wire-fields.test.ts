import { expect, test } from '@jest/globals';
import { linkRecord, linkStatuses, qrCodeRecord, workspaceRecord } from '@tautan/proto';
import { aLink } from '../testing/services.js';
import { linkView } from './link-view.js';
import { wireFields, wireValue } from './wire-fields.js';

test('copies the fields of the record, in its order, with null for absent ones', () => {
  const view = linkView({ ...aLink({ maxClicks: 5 }), internal: 'x' } as ReturnType<typeof aLink>);
  expect(Object.keys(view)).toEqual(Object.keys(linkRecord.shape));
  expect(view).toMatchObject({ slug: 'abc', maxClicks: 5, title: null, domain: null });
  expect(linkRecord.strict().parse(view)).toEqual(view);
});

test('refuses a value that is not allowed, naming its field', () => {
  const fields = wireFields(qrCodeRecord);
  expect(() => fields({ status: 'paused' })).toThrow('A service sent an unknown value of status: "paused".');
  expect(() => fields({ status: 'active' })).not.toThrow();
});

test('accepts an absent value of a nullable enum, and checks a present one', () => {
  const fields = wireFields(workspaceRecord);
  expect(fields({ plan: 'FREE', role: undefined }).role).toBeNull();
  expect(() => fields({ plan: 'FREE', role: 'guest' })).toThrow('role');
});

test('wireValue returns an allowed value and throws INTERNAL_ERROR for any other value', () => {
  expect(wireValue(linkStatuses, 'status', 'archived')).toBe('archived');
  expect(() => wireValue(linkStatuses, 'status', '')).toThrow(expect.objectContaining({ code: 'INTERNAL_ERROR' }));
});
