import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { Page } from 'playwright-core';
import { accepted, aPerson, joins, type Person } from '../support/people.js';
import { readQr } from '../support/qr-reader.js';
import { visit } from '../support/visitor.js';
import { expectAccessible, expectFits, fits, forEachAppearance, LOCALES, screenshot } from '../support/web-app.js';
import { webSuite } from '../support/web-suite.js';

// The link pages of the web application, in a real browser.
const app = webSuite();

interface ApiLink {
  id: string;
  slug: string;
  shortUrl: string;
  status: string;
  tags: string[];
}

const linksOf = async (person: Person, workspaceId: string): Promise<ApiLink[]> =>
  accepted(await person.in(workspaceId).get<ApiLink[]>('/links?order=asc'));

async function addLinks(person: Person, workspaceId: string, slugs: string[]): Promise<void> {
  const links = slugs.map((slug) => ({
    url: `https://example.com/${slug}`,
    slug: `${slug}-${Date.now()}`,
    title: slug,
  }));
  accepted(await person.in(workspaceId).post('/links/import', { links }));
}

const expectUsable = (page: Page, name: string): Promise<void> =>
  forEachAppearance(page, async (appearance) => {
    expect(await fits(page)).toBe(true);
    await screenshot(page, `${name}-${appearance}`);
    await expectAccessible(page);
  });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const field = (page: Page, name: string) => page.getByRole('textbox', { name });

test('a first link is created by keyboard and visited; the click appears without reloading, and the QR code is downloaded', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { page, problems } = await app.signedIn({ person, path: '/app/links' });
  await page.getByText('Create your first link').waitFor();
  await expectUsable(page, 'links-first-run');
  await button(page, 'New link').press('Enter');
  await field(page, 'Destination').waitFor();
  await page.keyboard.type('nonsense');
  await page.keyboard.press('Enter');
  await page.locator('[aria-invalid="true"]:focus').waitFor();
  await expectUsable(page, 'links-create');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('https://example.com/kopi');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
  const image = page.getByRole('img', { name: /QR code of/ });
  await image.waitFor();
  await expectUsable(page, 'links-ready');

  await page.getByRole('link', { name: 'Details' }).press('Enter');
  await page.getByRole('heading', { name: 'Over time' }).waitFor();
  await expectUsable(page, 'link');
  const [link] = await linksOf(person, workspaceId);
  expect((await visit(app.stack.baseUrl, new URL(link!.shortUrl).pathname)).status).toBe(302);
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByRole('definition').filter({ hasText: /^1$/ }).waitFor();

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download PNG' }).press('Enter');
  const download = await downloading;
  expect(await readQr(await readFile(await download.path()))).toBe(link!.shortUrl);
  expect(problems).toEqual([]);
}, 120_000);

test('an owner filters, selects, archives with undo, tags and deletes links; the URL contains the filters', async () => {
  const { person, workspaceId } = await app.anOwner();
  await addLinks(person, workspaceId, ['espresso', 'latte', 'mocha']);
  const { page, problems } = await app.signedIn({ person, path: '/app/links?q=latte' });
  await page.getByRole('row').nth(1).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('row').nth(3).waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded links' }).press('Space');
  await expectUsable(page, 'links-selected');
  await button(page, 'Archive').press('Enter');
  await page.getByText('3 links archived.', { exact: true }).waitFor();
  await button(page, 'Undo').press('Enter');
  await page.getByText('3 links activated.', { exact: true }).waitFor();
  await button(page, 'Add tag').press('Enter');
  await page.getByLabel('Tag', { exact: true }).fill('menu');
  await page.keyboard.press('Enter');
  await page.getByText('Tag added to 3 links.', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('archived');
  await page.getByText('No matching links').waitFor();
  expect(page.url()).toContain('status=archived');
  await button(page, 'Clear filters').press('Enter');
  await button(page, 'Clear selection').press('Enter');
  await page.getByRole('checkbox', { name: /Select latte/ }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('1 link deleted.', { exact: true }).waitFor();
  const links = await linksOf(person, workspaceId);
  expect(links.map(({ slug, status, tags }) => [slug.split('-')[0], status, tags])).toEqual([
    ['espresso', 'active', ['menu']],
    ['mocha', 'active', ['menu']],
  ]);
  expect(problems).toEqual([]);
}, 120_000);

test.each(LOCALES)(
  'long tags and slugs fit narrow phones: %s',
  async (locale) => {
    const { person, workspaceId } = await app.anOwner();
    const slug = `SpringSummerCollection2026${Date.now()}JakartaFlagshipStore`;
    const tags = ['Kampanye Ramadan 2026 Jakarta Selatan', 'W'.repeat(46)];
    const input = { url: 'https://example.com/menu', slug, tags };
    const { id } = accepted(await person.in(workspaceId).post<ApiLink>('/links', input));
    accepted(await person.in(workspaceId).patch(`/links/${id}`, { status: 'archived' }));
    const { page, problems } = await app.signedIn({ person, path: '/app/links', locale });
    await page.getByRole('row').nth(1).waitFor();
    await expectFits(page, `links-long-${locale}`);
    await page.getByRole('row', { name: /Archived|Diarsipkan/ }).waitFor();
    await button(page, /^(New link|Tautan baru)$/).click();
    await button(page, `+ ${tags[1]}`).waitFor();
    await expectFits(page, `links-long-create-${locale}`);
    await page.goto(`/app/links/${id}`);
    await page.getByRole('heading', { name: /^(Changes|Perubahan)$/ }).waitFor();
    await expectFits(page, `link-long-${locale}`);
    await button(page, /^(Edit|Ubah)$/).click();
    await page.getByRole('dialog', { name: slug }).waitFor();
    await expectFits(page, `link-long-edit-${locale}`);
    expect(problems).toEqual([]);
  },
  90_000,
);

test('the search field is empty after the filters are cleared', async () => {
  const { person, workspaceId } = await app.anOwner();
  await addLinks(person, workspaceId, ['espresso', 'latte']);
  const { page, problems } = await app.signedIn({ person, path: '/app/links' });
  const search = page.getByRole('searchbox');
  await search.fill('americano');
  await page.getByText('No matching links').waitFor();
  await button(page, 'Clear filters').click();
  await page.getByRole('row').nth(2).waitFor();
  // Wait longer than the delay after which the field would search again.
  await page.waitForTimeout(1_000);
  expect([await search.inputValue(), new URL(page.url()).search]).toEqual(['', '']);
  expect(await page.getByRole('row').count()).toBe(3);
  await search.pressSequentially('latte', { delay: 100 });
  await page.waitForURL(/q=latte/);
  expect(await search.inputValue()).toBe('latte');
  expect(problems).toEqual([]);
});

test('a typed creation date applies on Enter or when its field loses focus, and clears the other date if the range would end before it starts', async () => {
  const { person, workspaceId } = await app.anOwner();
  await addLinks(person, workspaceId, ['espresso']);
  const { page, problems } = await app.signedIn({ person, path: '/app/links' });
  await button(page, 'More filters').click();
  const from = page.getByLabel('Created on or after');
  const to = page.getByLabel('Created on or before');
  const expectValues = (...values: string[]): Promise<void> =>
    eventually(async () => expect([await from.inputValue(), await to.inputValue()]).toEqual(values));
  await from.focus();
  // Day and month are equal, because their order depends on the browser's language.
  await page.keyboard.type('05052024');
  expect(new URL(page.url()).search).toBe('');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\?from=2024-05-05$/);
  await to.focus();
  await page.keyboard.type('06062025');
  await to.blur();
  await page.waitForURL(/\?from=2024-05-05&to=2025-06-06$/);
  await page.getByText('No matching links').waitFor();
  await expectValues('2024-05-05', '2025-06-06');
  await to.fill('');
  await page.waitForURL(/\?from=2024-05-05$/);
  await to.fill('2025-06-06');
  await page.waitForURL(/\?from=2024-05-05&to=2025-06-06$/);
  await from.focus();
  await page.keyboard.type('0707');
  await page.keyboard.press('Delete');
  await from.blur();
  await expectValues('2024-05-05', '2025-06-06');
  await to.focus();
  await page.keyboard.type('04042023');
  await to.blur();
  await page.waitForURL(/\?to=2023-04-04$/);
  await expectValues('', '2023-04-04');
  await button(page, 'Clear filters').click();
  await page.getByRole('row').nth(1).waitFor();
  await expectValues('', '');
  expect(problems).toEqual([]);
});

test('saving an invalid click limit does not remove the current one', async () => {
  const { person, workspaceId } = await app.anOwner();
  const input = { url: 'https://example.com/menu', maxClicks: 5 };
  const { id } = accepted(await person.in(workspaceId).post<ApiLink>('/links', input));
  const { page } = await app.signedIn({ person, path: `/app/links/${id}` });
  await button(page, 'Edit').click();
  const limit = page.getByRole('spinbutton', { name: 'Click limit' });
  await limit.fill('');
  await limit.pressSequentially('1e');
  await button(page, 'Save changes').click();
  await page.waitForTimeout(500);
  expect(accepted(await person.in(workspaceId).get(`/links/${id}`))).toMatchObject({ maxClicks: 5 });
  await limit.fill('7');
  await button(page, 'Save changes').click();
  await page.getByText('Changes saved.', { exact: true }).waitFor();
  expect(accepted(await person.in(workspaceId).get(`/links/${id}`))).toMatchObject({ maxClicks: 7 });
});

test('saving a link changes only the fields that the user changed', async () => {
  const { person, workspaceId } = await app.anOwner();
  const api = person.in(workspaceId);
  const details = { description: 'First line\nSecond line', tags: ['coffee, tea', 'menu'] };
  const { id } = accepted(await api.post<ApiLink>('/links', { url: 'https://example.com/menu', ...details }));
  const { page } = await app.signedIn({ person, path: `/app/links/${id}` });
  const description = page.getByRole('definition').filter({ hasText: 'First line' });
  expect(await description.innerText()).toBe(details.description);
  await button(page, 'Edit').click();
  await page.getByText('The short path.', { exact: true }).waitFor();
  await page.getByLabel('Title').fill('Menu');
  const changed = { url: 'https://example.com/new-menu', maxClicks: 9 };
  accepted(await api.patch(`/links/${id}`, changed));
  await button(page, 'Save changes').click();
  await page.getByText('Changes saved.', { exact: true }).waitFor();
  expect(accepted(await api.get(`/links/${id}`))).toMatchObject({ title: 'Menu', ...changed, ...details });
});

test('viewers can open links but see no actions that change them; the API rejects their changes', async () => {
  const { person: owner, workspaceId } = await app.anOwner();
  await addLinks(owner, workspaceId, ['espresso']);
  const [link] = await linksOf(owner, workspaceId);
  const viewer = await aPerson(app.stack);
  await joins(viewer, 'viewer', { id: workspaceId, by: owner });
  const { page } = await app.signedIn({ person: viewer, path: '/app/links' });
  await page.getByRole('link', { name: new RegExp(link!.slug) }).click();
  await page.getByRole('heading', { name: 'Over time' }).waitFor();
  expect(await button(page, /^(New link|Edit)$/).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'New QR code' }).count()).toBe(0);
  await button(page, `Actions for ${link!.slug}`).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Open', 'QR code']);
  expect((await viewer.in(workspaceId).patch(`/links/${link!.id}`, { title: 'Mine' })).status).toBe(403);
  await page.goto('/app/links/import');
  await page.getByText('You have no access to this').waitFor();
});

test('a link is created exactly once although a slow API fails twice; the form keeps its values if it shows an error', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { page } = await app.signedIn({ person, path: '/app/links' });
  let failures = 0;
  await page.route('**/api/v1/links', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    if (route.request().method() !== 'POST' || failures === 2) return route.continue();
    failures += 1;
    return route.abort('connectionreset');
  });
  await button(page, 'New link').click();
  await field(page, 'Destination').fill('https://example.com/kopi');
  await button(page, 'Create link').click();
  const ready = page.getByRole('heading', { name: 'Your link is ready' });
  await ready.or(page.getByRole('alert')).first().waitFor();
  if (!(await ready.isVisible())) {
    expect(await field(page, 'Destination').inputValue()).toBe('https://example.com/kopi');
    await button(page, 'Create link').click();
    await ready.waitFor();
  }
  expect(failures).toBe(2);
  expect(await linksOf(person, workspaceId)).toHaveLength(1);
}, 90_000);

test('a Bitly export is recognized, checked and imported; rejected rows are listed and can be downloaded', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { page, problems } = await app.signedIn({ person, path: '/app/links/import' });
  await field(page, 'Or paste the rows').fill('Title;Link;Long URL\nMenu;;https://example.com/menu\nWrong;;nonsense\n');
  expect(await page.getByRole('combobox', { name: 'Separator' }).inputValue()).toBe('semicolon');
  expect(await page.getByRole('combobox', { name: 'Exported from' }).inputValue()).toBe('bitly');
  await button(page, 'Check without importing').click();
  await page.getByText('1 row can be imported, 1 row cannot.').waitFor();
  await expectUsable(page, 'import-checked');
  const downloading = page.waitForEvent('download');
  await button(page, 'Download problems as CSV').click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toMatch(/^line,field,message\r\n3,"url",/);
  await button(page, 'Import 1 row').click();
  await page.getByText('1 row imported, 1 row rejected.').waitFor();
  await page.getByRole('link', { name: 'Show links' }).click();
  await page.getByText('Menu', { exact: true }).waitFor();
  expect(await linksOf(person, workspaceId)).toHaveLength(1);
  expect(problems).toEqual([]);
}, 90_000);

test('the problems of an import are shown and downloaded in Indonesian', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { slug } = accepted(await person.in(workspaceId).post<ApiLink>('/links', { url: 'https://example.com' }));
  const { page, problems } = await app.signedIn({ person, path: '/app/links/import', locale: 'id-ID' });
  const twice = `https://example.com,menu-${Date.now()}`;
  const rows = ['url,slug', `https://example.com/a,${slug}`, 'nonsense,', twice, twice];
  await field(page, 'Atau tempelkan barisnya').fill(rows.join('\n'));
  await button(page, 'Periksa tanpa mengimpor').click();
  const [taken, invalid] = ['Slug ini sudah dipakai. Pilih yang lain.', 'Isian ini tidak diterima: '];
  await page.getByRole('cell', { name: taken, exact: true }).waitFor();
  await page.getByRole('cell', { name: invalid }).waitFor();
  await page.getByRole('cell', { name: 'Slug ini sudah dipakai oleh baris sebelumnya.' }).waitFor();
  await expectFits(page, 'import-id');
  const downloading = page.waitForEvent('download');
  await button(page, 'Unduh masalah sebagai CSV').click();
  const csv = await readFile(await (await downloading).path(), 'utf8');
  expect(csv).toMatch(`line,field,message\r\n2,"slug","${taken}"\r\n3,"url","${invalid}`);
  expect(problems).toEqual([]);
});

test('a file that is not encoded as UTF-8 is rejected instead of being imported with wrong characters', async () => {
  const { person } = await app.anOwner();
  const { page, problems } = await app.signedIn({ person, path: '/app/links/import' });
  const rows = 'url,title\nhttps://example.com/menu,Café Zürich\n';
  const choose = (buffer: Buffer) =>
    page.getByLabel(/Drop a CSV file/).setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer });
  await choose(Buffer.from(rows, 'latin1'));
  await page.getByText('The file is not encoded as UTF-8. Save it as UTF-8 and try again.').first().waitFor();
  expect(await button(page, 'Check without importing').count()).toBe(0);
  await choose(Buffer.from(rows));
  await page.getByRole('cell', { name: 'Café Zürich' }).waitFor();
  expect(problems).toEqual([]);
});

test('while an import runs, its options are disabled, and leaving the page requires a confirmation', async () => {
  const { person, workspaceId } = await app.anOwner();
  const { page, problems } = await app.signedIn({ person, path: '/app/links/import' });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/v1/links/import', async (route) => {
    const { dryRun } = route.request().postDataJSON() as { dryRun: boolean };
    if (!dryRun) await released;
    await route.continue();
  });
  const options = [
    page.getByLabel(/Drop a CSV file/),
    field(page, 'Or paste the rows'),
    page.getByRole('combobox', { name: 'Separator' }),
    page.getByRole('combobox', { name: 'Field for title' }),
  ];
  const areEnabled = () => Promise.all(options.map((option) => option.isEnabled()));
  const asksBeforeUnload = (): Promise<boolean> =>
    page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
  await field(page, 'Or paste the rows').fill('url,title\nhttps://example.com/menu,Menu\n');
  await button(page, 'Check without importing').click();
  await button(page, 'Import 1 row').waitFor();
  expect([await areEnabled(), await asksBeforeUnload()]).toEqual([[true, true, true, true], false]);
  await button(page, 'Import 1 row').click();
  await page.getByText('Importing: 0 of 1 row').waitFor();
  expect([await areEnabled(), await asksBeforeUnload()]).toEqual([[false, false, false, false], true]);
  await expectUsable(page, 'import-running');
  const tags = page.getByRole('link', { name: 'Tags', exact: true });
  await tags.click();
  const dialog = page.getByRole('dialog', { name: 'Leave during the import?' });
  await dialog.waitFor();
  await expectUsable(page, 'import-leave');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  release();
  await page.getByText('1 row imported, 0 rows rejected.').waitFor();
  expect([await areEnabled(), await asksBeforeUnload()]).toEqual([[true, true, true, true], false]);
  await tags.click();
  await page.waitForURL(/\/app\/tags$/);
  expect(await linksOf(person, workspaceId)).toHaveLength(1);
  expect(problems).toEqual([]);
}, 90_000);

test('a bulk change that failed for some links can be undone while the dialog lists the failures', async () => {
  const { person, workspaceId } = await app.anOwner();
  await addLinks(person, workspaceId, ['espresso', 'latte']);
  const { page, problems } = await app.signedIn({ person, path: '/app/links' });
  await page.getByRole('checkbox', { name: 'Select all loaded links' }).check();
  const [deleted] = await linksOf(person, workspaceId);
  accepted(await person.in(workspaceId).delete(`/links/${deleted!.id}`));
  await button(page, 'Archive').click();
  await page.getByRole('dialog', { name: '1 link could not be changed' }).waitFor();
  await page.getByText('1 link archived.', { exact: true }).waitFor();
  await screenshot(page, 'undo-in-dialog');
  await button(page, 'Undo').click();
  await page.getByText('1 link activated.', { exact: true }).waitFor();
  expect(await linksOf(person, workspaceId)).toMatchObject([{ status: 'active' }]);
  expect(problems).toEqual([]);
});

test('the list keeps its scroll position when a link is deleted, and when the user goes back from the page of a link', async () => {
  const { person, workspaceId } = await app.anOwner();
  const links = Array.from({ length: 60 }, (_, n) => ({ url: `https://example.com/menu/${n}`, title: `Menu ${n}` }));
  accepted(await person.in(workspaceId).post('/links/import', { links }));
  const { page } = await app.signedIn({ person, path: '/app/links' });
  const position = (): Promise<number> => page.evaluate('Math.round(scrollY)');
  const focusedHeading = (name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).and(page.locator(':focus'));
  const row = page.getByRole('row', { name: /Menu 25/ });
  await page.getByRole('row').nth(1).waitFor();
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 1_500);
  await row.getByRole('link').click();
  await focusedHeading(/\//).waitFor();
  expect(await position()).toBe(0);
  await page.goBack();
  await focusedHeading('Links').waitFor();
  await row.waitFor();
  const before = await position();
  expect(before).toBeGreaterThan(1_000);
  // The menu opens without a navigation.
  await row.getByRole('button', { name: /^Actions for/ }).click({ noWaitAfter: true });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  await focusedHeading('Links').waitFor();
  expect(await position()).toBe(before);
});

test('a long list loads while scrolling, and renders only the rows near the viewport', async () => {
  const { person, workspaceId } = await app.anOwner();
  const links = Array.from({ length: 130 }, (_, n) => ({ url: `https://example.com/menu/${n}` }));
  accepted(await person.in(workspaceId).post('/links/import', { links }));
  const { page } = await app.signedIn({ person, path: '/app/links' });
  await page.locator('table[aria-rowcount="101"]').waitFor();
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 100_000);
  await page.locator('table[aria-rowcount="131"]').waitFor();
  await page.mouse.wheel(0, 100_000);
  await page.locator('tr[aria-rowindex="131"]').waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(70);
});
