import { expect, test } from '@jest/globals';
import { undoOf } from './bulk.js';
import type { Link } from './links.js';

const aLink = (fields: Partial<Link>): Link => ({ status: 'active', tags: [], ...fields }) as Link;

test('undoes an action only for the links that it changed', () => {
  const active = aLink({ tags: ['Menu'] });
  const archived = aLink({ status: 'archived' });
  const links = [active, archived];
  expect(undoOf({ action: 'archive', links })).toEqual({ action: 'activate', links: [active] });
  expect(undoOf({ action: 'activate', links })).toEqual({ action: 'archive', links: [archived] });
  expect(undoOf({ action: 'addTag', tag: 'menu', links })).toEqual({
    action: 'removeTag',
    tag: 'menu',
    links: [archived],
  });
  expect(undoOf({ action: 'removeTag', tag: 'menu', links })).toEqual({
    action: 'addTag',
    tag: 'menu',
    links: [active],
  });
});

test('does not undo a deletion', () => {
  expect(undoOf({ action: 'delete', links: [aLink({})] })).toBeUndefined();
});
