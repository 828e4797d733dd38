import { expect, test } from '@jest/globals';
import { accepted, aPerson, joins } from '../support/people.js';
import { expectAccessible, fillSignIn, focusedTag, forEachAppearance, screenshot } from '../support/web-app.js';
import { webSuite } from '../support/web-suite.js';

// The web application of the shared stack, in a real browser.
const app = webSuite();

test('a signed-out user is redirected to the requested page after sign-in', async () => {
  const { person } = await app.anOwner();
  const { page, problems } = await app.open();
  await page.goto('/app/tags');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await forEachAppearance(page, async (appearance) => {
    await screenshot(page, `sign-in-${appearance}`);
    await expectAccessible(page);
  });
  await page.getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, person);
  await page.waitForURL(`${app.stack.baseUrl}/app/tags`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Tags');
  expect(await page.title()).toBe('Tags · Tautan');
  expect(problems).toEqual([]);
});

test('an owner creates, renames and deletes a tag by keyboard, and sees validation errors next to the field', async () => {
  const { person, workspaceId } = await app.anOwner();
  accepted(await person.in(workspaceId).post('/tags', { name: 'taken' }));
  const { page, problems } = await app.signedIn({ person, path: '/app/tags' });
  await page.getByRole('button', { name: 'New tag' }).press('Enter');
  await page.keyboard.type('Taken');
  await page.keyboard.press('Enter');
  const name = page.getByRole('textbox', { name: 'Name' });
  await page.getByText('A tag with this name already exists.').waitFor();
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  expect(await focusedTag(page)).toBe('INPUT');
  await expectAccessible(page);
  await name.fill('spring');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'spring', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Actions for spring' }).press('Enter');
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
  await name.fill('summer');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'summer', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Actions for summer' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await page.getByRole('button', { name: 'Delete tag' }).press('Enter');
  await page.getByRole('cell', { name: 'summer', exact: true }).waitFor({ state: 'detached' });
  await page.locator('h1:focus').waitFor();
  const tags = accepted(await person.in(workspaceId).get<{ name: string }[]>('/tags'));
  expect(tags.map((tag) => tag.name)).toEqual(['taken']);
  expect(problems).toEqual([]);
});

test('with reduced motion, layout changes are not animated', async () => {
  const { page } = await app.open();
  await page.goto('/app/tags');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  const count = await page.evaluate<number>(`(() => {
    const { style } = document.querySelector('#root *');
    document.getAnimations();
    style.padding = '99px';
    return document.getAnimations().length;
  })()`);
  expect(count).toBe(0);
});

test('viewers see tags and links, but no controls to change them', async () => {
  const { person: owner, workspaceId } = await app.anOwner();
  accepted(await owner.in(workspaceId).post('/tags', { name: 'spring' }));
  const link = await owner.in(workspaceId).post<{ slug: string }>('/links', { url: 'https://example.com/' });
  const { slug } = accepted(link);
  const viewer = await aPerson(app.stack);
  await joins(viewer, 'viewer', { id: workspaceId, by: owner });
  const { page } = await app.signedIn({ person: viewer, path: '/app/tags' });
  await page.getByRole('cell', { name: 'spring', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /New tag|Actions for/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Links' }).click();
  await page.getByRole('link', { name: new RegExp(slug) }).waitFor();
  expect(await page.getByRole('button', { name: 'New link' }).count()).toBe(0);
});
