import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { injectFaults } from '../support/api-faults.js';
import { accepted, aPerson, aWorkspace, joins, type Person } from '../support/people.js';
import { readQr } from '../support/qr-reader.js';
import { expectAccessible, expectFits, fits, forEachAppearance, LOCALES, screenshot } from '../support/web-app.js';
import { webSuite } from '../support/web-suite.js';

// The QR code pages of the web application, in a real browser. The studio is the form that creates or edits a QR code.
const app = webSuite();

interface ApiCode {
  id: string;
  title: string | null;
  linkId: string | null;
  expiresAt: string | null;
  maxScans: number | null;
  styleConfig: object;
  logoRunRef: string | null;
}

const aCode = async ({ api }: Person, fields: object = { url: 'https://example.com' }): Promise<ApiCode> =>
  accepted(await api.post<ApiCode>('/qr-codes', fields));
const codeOf = async ({ api }: Person, id: string): Promise<ApiCode> =>
  accepted(await api.get<ApiCode>(`/qr-codes/${id}`));

/** Creates a QR code and opens its page. */
async function openCode() {
  const person = await aPerson(app.stack);
  const { id } = await aCode(person);
  return { person, id, ...(await app.signedIn({ person, path: `/app/qr-codes/${id}` })) };
}

async function chooseLogo(page: Page): Promise<void> {
  const buffer = await sharp({ create: { width: 200, height: 200, channels: 4, background: '#b42318' } })
    .png()
    .toBuffer();
  await page.getByLabel('Upload a logo').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
}

const saveButton = (page: Page, state: { disabled?: boolean } = {}) =>
  page.getByRole('button', { name: 'Save changes', ...state });

/** Saves the form and resolves once the API has accepted the change. */
async function save(page: Page): Promise<void> {
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
  await saveButton(page).click();
  await saved;
}

/** Holds back changes that the page sends to a path. Returns a function that lets them continue. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/api/v1/${path}`, async (route) => {
    if (route.request().method() !== 'GET') await released;
    await route.continue();
  });
  return release;
}

test('a styled QR code with a logo is created and downloaded, and encodes its short URL', async () => {
  const person = await aPerson(app.stack);
  const { page, problems } = await app.signedIn({ person, path: '/app/qr-codes/new' });
  await page.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/poster');
  await page.getByRole('textbox', { name: 'Title' }).fill('Spring poster');
  await page.getByRole('textbox', { name: 'Foreground' }).fill('#eeeeee');
  await page.getByText('This style cannot be scanned:').waitFor();
  await page.getByRole('textbox', { name: 'Foreground' }).fill('#0b5f58');
  await page.getByLabel('Dots').selectOption('dots');
  await page.getByLabel('Marker border').selectOption('circle');
  await page
    .getByLabel('Upload a logo')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await page.getByRole('alert').waitFor();
  // A browser does not report that the same file is chosen again unless the field is empty.
  expect(await page.getByLabel('Upload a logo').inputValue()).toBe('');
  await chooseLogo(page);
  await page.getByLabel('Logo size').waitFor();
  await page.getByText('This code scans well.').waitFor();
  await forEachAppearance(page, async (appearance) => {
    expect(await fits(page)).toBe(true);
    await screenshot(page, `qr-studio-${appearance}`);
    await expectAccessible(page);
  });

  await page.getByRole('button', { name: 'Create QR code' }).click();
  await page.waitForURL(/\/app\/qr-codes\/qr_/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PNG' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Spring poster.png');
  const image = await readFile(await download.path());
  // 40 mm at 300 dpi.
  expect(await sharp(image).metadata()).toMatchObject({ format: 'png', width: 472, height: 472 });
  const [code] = accepted(await person.api.get<{ shortUrl: string; logoRunRef: string | null }[]>('/qr-codes'));
  expect(code?.logoRunRef).not.toBeNull();
  expect(await readQr(image)).toBe(code?.shortUrl);
  await expectAccessible(page);
  expect(problems).toEqual([]);
}, 90_000);

test('the studio asks before unsaved changes are lost', async () => {
  const person = await aPerson(app.stack);
  const { page, problems } = await app.signedIn({ person, path: '/app/qr-codes/new' });
  const links = page.getByRole('link', { name: 'Links', exact: true });
  await page.getByRole('textbox', { name: 'Title' }).fill('Spring poster');
  await links.click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.waitFor();
  await expectAccessible(page);
  await screenshot(page, 'qr-studio-unsaved');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Spring poster');
  await links.click();
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL(/\/app\/links/);
  expect(problems).toEqual([]);
}, 90_000);

test('deleting a QR code with unsaved changes opens the list without a warning about the changes', async () => {
  const { page, person, id, problems } = await openCode();
  await page.getByRole('textbox', { name: 'Title' }).fill('Spring poster');
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete QR code' }).click();
  await page.getByText('Create your first QR code').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect((await person.api.get(`/qr-codes/${id}`)).status).toBe(404);
  expect(problems).toEqual([]);
});

test('QR codes can be found by search, shared, archived and restored, and have statistics', async () => {
  const person = await aPerson(app.stack);
  for (const title of ['Menu', 'Poster'])
    accepted(await person.api.post('/qr-codes', { url: 'https://example.com', title }));
  const { page, problems } = await app.signedIn({ person, path: '/app/qr-codes' });
  await page.getByRole('searchbox').fill('Menu');
  await page.getByRole('link', { name: 'Poster' }).waitFor({ state: 'detached' });
  await forEachAppearance(page, async (appearance) => {
    expect(await fits(page)).toBe(true);
    await screenshot(page, `qr-codes-${appearance}`);
    await expectAccessible(page);
  });
  await page.getByRole('link', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Share image' }).click();
  const shared = await page.getByRole('dialog').getByRole('link').innerText();
  expect((await fetch(shared)).headers.get('content-type')).toBe('image/png');
  await page.getByRole('button', { name: 'Close', exact: true }).first().click();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('QR code archived.').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).waitFor();
  await page.keyboard.press('Escape');
  const codes = accepted(await person.api.get<{ title: string; status: string }[]>('/qr-codes?q=Menu'));
  expect(codes.map(({ status }) => status)).toEqual(['active']);
  await page.getByRole('link', { name: 'Statistics', exact: true }).last().click();
  await page.getByText('0 scans today').waitFor();
  await expectAccessible(page);
  expect(problems).toEqual([]);
}, 90_000);

test.each(LOCALES)('long titles and tags fit the cards of QR codes on narrow phones: %s', async (locale) => {
  const person = await aPerson(app.stack);
  const title = 'Ramadan'.repeat(28);
  await aCode(person, { url: `https://example.com/${title}`, title });
  await aCode(person, {
    url: 'https://example.com',
    tags: ['Kampanye Ramadan 2026 Jakarta Selatan', 'W'.repeat(46)],
  });
  const { page, problems } = await app.signedIn({ person, path: '/app/qr-codes', locale });
  await page.getByRole('link', { name: title }).waitFor();
  await expectFits(page, `qr-codes-long-${locale}`);
  expect(problems).toEqual([]);
});

test('a QR code is created from the page of its link, with limits that can be changed later', async () => {
  const person = await aPerson(app.stack);
  const link = accepted(await person.api.post<{ id: string; slug: string }>('/links', { url: 'https://example.com' }));
  const { page, problems } = await app.signedIn({ person, path: `/app/links/${link.id}` });
  await page.getByRole('heading', { name: 'Changes' }).waitFor();
  await page.getByText(`created the link ${link.slug}`).waitFor();
  await page.getByRole('link', { name: 'New QR code' }).click();
  await page.getByRole('option', { name: link.slug }).waitFor({ state: 'attached' });
  // Enter in the search field searches instead of creating the QR code.
  await page.getByRole('searchbox', { name: 'Find a link' }).press('Enter');
  await page.getByRole('textbox', { name: 'Title' }).fill('Door');
  await page.getByLabel('Expires').fill('2020-01-01T10:00');
  await page.getByRole('spinbutton', { name: 'Scan limit' }).fill('50');
  await page.getByRole('button', { name: 'Create QR code' }).click();
  await page.locator('[name="expiresAt"][aria-invalid="true"]').waitFor();
  await page.getByLabel('Expires').fill('2099-01-01T10:00');
  await page.getByRole('button', { name: 'Create QR code' }).click();
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  const code = async () => accepted(await person.api.get<ApiCode[]>(`/qr-codes?linkId=${link.id}`))[0]!;
  const { id, expiresAt, styleConfig } = await code();
  expect(accepted(await person.api.get<ApiCode[]>(`/qr-codes?linkId=${link.id}`))).toHaveLength(1);
  expect(await code()).toMatchObject({ linkId: link.id, maxScans: 50 });
  expect(expiresAt).toMatch(/^2099-01-01T/);
  // The studio starts with the default style of the API.
  expect(styleConfig).toEqual((await aCode(person)).styleConfig);

  await page.getByRole('spinbutton', { name: 'Scan limit' }).fill('');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved.').first().waitFor();
  expect(await code()).toMatchObject({ expiresAt, maxScans: null });

  // The page shows the limit of the link, but saving another field does not store this limit in the QR code.
  accepted(await person.api.patch(`/links/${link.id}`, { maxClicks: 20 }));
  await page.goto(`/app/qr-codes/${id}`);
  await page.getByRole('textbox', { name: 'Title' }).fill('Window');
  expect(await page.getByRole('button', { name: 'SVG', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Changes saved.').first().waitFor();
  accepted(await person.api.patch(`/links/${link.id}`, { maxClicks: null }));
  expect(await code()).toMatchObject({ title: 'Window', expiresAt, maxScans: null });
  expect(await page.getByRole('button', { name: 'SVG', exact: true }).isDisabled()).toBe(false);
  await page.getByRole('link', { name: 'Open the link' }).click();
  await page.getByRole('link', { name: 'Window' }).waitFor();
  expect(problems).toEqual([]);
}, 90_000);

test('the page of a QR code shows a change to its link, but saving does not copy the limits of the link to the QR code', async () => {
  const person = await aPerson(app.stack);
  const link = accepted(await person.api.post<{ id: string }>('/links', { url: 'https://example.com' }));
  const { id } = await aCode(person, { linkId: link.id });
  const { page, problems } = await app.signedIn({ person, path: `/app/qr-codes/${id}` });
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.waitFor();
  accepted(await person.api.patch(`/links/${link.id}`, { maxClicks: 20, expiresAt: '2099-01-01T10:00:00Z' }));
  for (const name of ['Door', 'Window']) {
    await title.fill(name);
    await save(page);
    // The page has read the code again. The response has the limits of the link, which the form does not adopt.
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.getByRole('spinbutton', { name: 'Scan limit' }).inputValue()).toBe('');
    expect(await page.getByLabel('Expires').inputValue()).toBe('');
  }
  accepted(await person.api.patch(`/links/${link.id}`, { maxClicks: null, expiresAt: null }));
  expect(await codeOf(person, id)).toMatchObject({ title: 'Window', expiresAt: null, maxScans: null });

  await page.getByRole('link', { name: 'Open the link' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/menu');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goBack();
  const destination = page.getByRole('textbox', { name: 'Destination' });
  await until(async () => (await destination.inputValue()) === 'https://example.com/menu');
  expect(problems).toEqual([]);
}, 90_000);

test('the studio marks the link field if the link is missing, and shows an error that belongs to no form field', async () => {
  const person = await aPerson(app.stack);
  const { page, problems } = await app.signedIn({ person, path: '/app/qr-codes/new' });
  const create = page.getByRole('button', { name: 'Create QR code' });
  const link = page.locator('[name="linkId"][aria-invalid="true"]:focus');
  await page.getByRole('button', { name: 'An existing link' }).click();
  await create.click();
  await link.waitFor();
  await expectAccessible(page);
  await page.goto('/app/qr-codes/new?link=lnk_01jd3x8q4v5w6y7z8a9b0c1d2e');
  await page.getByText('It may have been deleted').waitFor();
  await create.click();
  await link.waitFor();
  const error = { code: 'VALIDATION_ERROR', message: 'This is not a logo.', field: 'logoRunRef' };
  await page.route('**/api/v1/qr-codes', (route) =>
    route.fulfill({ status: 400, json: { data: null, error, meta: {} } }),
  );
  await create.click();
  await page.getByRole('alert').filter({ hasText: error.message }).waitFor();
  expect(problems).toEqual([]);
}, 90_000);

test('a QR code cannot be saved while its logo is being uploaded', async () => {
  const { person, id, page, problems } = await openCode();
  await saveButton(page).waitFor();
  const release = await holdBack(page, 'qr-codes/upload-logo');
  await chooseLogo(page);
  await saveButton(page, { disabled: true }).waitFor();
  release();
  await page.getByLabel('Logo size').waitFor();
  await save(page);
  expect(await codeOf(person, id)).toMatchObject({ logoRunRef: expect.stringMatching(/^lgo_/) });
  expect(problems).toEqual([]);
}, 90_000);

test('a change made while a save is in progress stays in the form and can be saved afterwards', async () => {
  const { person, id, page, problems } = await openCode();
  const title = page.getByRole('textbox', { name: 'Title' });
  // The download is disabled while the form has unsaved changes.
  const svg = (disabled: boolean) => page.getByRole('button', { name: 'SVG', exact: true, disabled });
  await title.fill('Door');
  const release = await holdBack(page, `qr-codes/${id}`);
  await saveButton(page).click();
  await saveButton(page, { disabled: true }).waitFor();
  await title.fill('Window');
  release();
  await page.getByText('Changes saved.').first().waitFor();
  expect(await svg(true).count()).toBe(1);
  expect(await codeOf(person, id)).toMatchObject({ title: 'Door' });
  await save(page);
  await svg(false).waitFor();
  expect(await codeOf(person, id)).toMatchObject({ title: 'Window' });
  expect(problems).toEqual([]);
}, 90_000);

test('saving a style keeps the fields that others have changed, and removing a logo restores the error correction level', async () => {
  const { person, id, page, problems } = await openCode();
  const margin = page.getByRole('spinbutton', { name: 'Margin in modules' });
  await margin.waitFor();
  const others = { foreground: '#0b5f58', markerColor: '#0b5f58', dotStyle: 'dots' };
  accepted(await person.api.patch(`/qr-codes/${id}`, { styleConfig: others }));
  await margin.fill('4');
  await save(page);
  expect((await codeOf(person, id)).styleConfig).toMatchObject({ ...others, margin: 4, errorCorrection: 'M' });
  await chooseLogo(page);
  await page.getByLabel('Logo size').waitFor();
  await save(page);
  expect((await codeOf(person, id)).styleConfig).toMatchObject({ ...others, errorCorrection: 'H' });
  await page.getByRole('button', { name: 'Remove logo' }).click();
  await save(page);
  expect(await codeOf(person, id)).toMatchObject({
    logoRunRef: null,
    styleConfig: { ...others, errorCorrection: 'M' },
  });
  expect(problems).toEqual([]);
}, 90_000);

test('if a preview fails, the studio does not claim that the style cannot be scanned', async () => {
  const { page, problems } = await app.signedIn({ person: await aPerson(app.stack) });
  const faults = await injectFaults(page);
  faults.failing = (route) => (route.request().url().includes('/qr-codes/preview') ? 'error' : undefined);
  await page.goto('/app/qr-codes/new');
  await page.getByText('The service failed unexpectedly. Try again.', { exact: true }).waitFor();
  expect(problems).toEqual([]);
}, 90_000);

test('viewers can see a QR code but not change it', async () => {
  const [owner, viewer] = [await aPerson(app.stack), await aPerson(app.stack)];
  const { id: workspaceId } = await aWorkspace(owner, 'Warung Kopi');
  const code = accepted(await owner.in(workspaceId).post<{ id: string }>('/qr-codes', { url: 'https://example.com' }));
  await joins(viewer, 'viewer', { id: workspaceId, by: owner });
  accepted(await viewer.api.post('/workspaces/switch', { workspaceId }));
  const { page } = await app.signedIn({ person: viewer, path: `/app/qr-codes/${code.id}` });
  await page.getByRole('img', { name: 'Preview' }).waitFor();
  expect(await page.getByRole('button', { name: /Save changes|Actions/ }).count()).toBe(0);
  await page.goto('/app/qr-codes/new');
  await page.getByText('You have no access to this').waitFor();
}, 90_000);
