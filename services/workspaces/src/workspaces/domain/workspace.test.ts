import { expect, test } from '@jest/globals';
import { isId } from '@tautan/kit';
import { newWorkspace, workspaceData, workspaceName } from './workspace.js';

const at = new Date('2030-01-01T00:00:00.000Z');
const fields = { name: 'Toko', asOf: at, createdAt: at };

test('a new workspace has the default plan, unless an operator gave it one', () => {
  const { _id, ...workspace } = newWorkspace('PRO', fields);
  expect(isId(_id, 'ws')).toBe(true);
  expect(workspace).toStrictEqual({
    ...fields,
    plan: 'PRO',
    planSources: { given: null, subscription: null },
    planVersion: 1,
    announcedPlan: 'PRO',
    linkCount: 0,
    qrCodeCount: 0,
  });
  expect(newWorkspace('PRO', { ...fields, externalId: 'x1', given: 'BUSINESS' })).toMatchObject({
    externalId: 'x1',
    plan: 'BUSINESS',
    planSources: { given: 'BUSINESS' },
    announcedPlan: 'BUSINESS',
  });
});

test('a name has up to 100 characters', () => {
  for (const name of ['x'.repeat(100), '😀'.repeat(100)]) expect(workspaceName(` ${name} `)).toBe(name);
  expect(() => workspaceName('x'.repeat(101))).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'name' }),
  );
});

test('events contain the id, name, plan and creation time of a workspace', () => {
  const workspace = newWorkspace('PRO', fields);
  expect(workspaceData(workspace)).toEqual({
    id: workspace._id,
    name: 'Toko',
    plan: 'PRO',
    createdAt: '2030-01-01T00:00:00.000Z',
  });
});
