import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { brandOf, brandSettings, contrast, isLogoUrl, textOn } from './brand.js';

const read = (env: object) => brandOf(z.object(brandSettings).parse(env));
const pixel = 'data:image/png;base64,iVBORw0KGgo=';

test('defaults to the name and color of the product', () => {
  expect(read({})).toEqual({ name: 'Tautan', logo: null, color: '#0f766e' });
});

test('accepts a name, a logo and a color', () => {
  const env = { BRAND_NAME: ' Toko Sari ', BRAND_LOGO: pixel, BRAND_COLOR: '#B91C1C' };
  expect(read(env)).toEqual({ name: 'Toko Sari', logo: pixel, color: '#b91c1c' });
  for (const logo of [
    'https://cdn.example.com/logo.svg',
    'data:image/svg+xml;base64,AAAA',
    'data:image/webp;base64,AA==',
    'data:image/jpeg;base64,AAAA',
    `data:image/png;base64,${'A'.repeat(65_536 - 'data:image/png;base64,'.length)}`,
  ]) {
    expect(read({ BRAND_LOGO: logo }).logo).toBe(logo);
  }
  expect(read({ BRAND_NAME: 'x'.repeat(60) }).name).toHaveLength(60);
});

test.each([
  ['BRAND_NAME', 'a\u202eb'],
  ['BRAND_NAME', 'x'.repeat(61)],
  ['BRAND_LOGO', 'http://cdn.example.com/logo.svg'],
  ['BRAND_LOGO', 'https://user:secret@cdn.example.com/logo.svg'],
  ['BRAND_LOGO', 'data:text/html;base64,PGI+'],
  ['BRAND_LOGO', 'data:image/svg+xml,<svg/>'],
  ['BRAND_LOGO', `data:image/png;base64,${'A'.repeat(65_536)}`],
  ['BRAND_COLOR', 'teal'],
  ['BRAND_COLOR', '#fff'],
  ['BRAND_COLOR', 'x#b91c1c'],
  ['BRAND_COLOR', '#b91c1c0'],
  ['BRAND_NAME', ' '],
  ['BRAND_LOGO', `x${pixel}`],
  ['BRAND_LOGO', `${pixel}=x`],
  ['BRAND_LOGO', 'data:image/png;base64,===='],
])('rejects %s=%s', (setting, value) => {
  expect(() => read({ [setting]: value })).toThrow(setting);
});

test('accepts only https URLs without credentials as the address of a logo', () => {
  const longest = `https://a.example/${'x'.repeat(2_048 - 'https://a.example/'.length)}`;
  for (const text of ['https://cdn.example.com/logo.svg?v=2', 'HTTPS://cdn.example.com', longest]) {
    expect(isLogoUrl(text)).toBe(true);
  }
  for (const text of [
    pixel,
    '//cdn.example.com/a.png',
    'https:cdn.example.com',
    `${longest}x`,
    `https://a.example/${'é'.repeat(1_000)}`,
    'xhttps://cdn.example.com',
    'https://cdn.example.com/\u0000',
    'https://user@cdn.example.com/',
    'https://:secret@cdn.example.com/',
    'https://',
  ])
    expect(isLogoUrl(text)).toBe(false);
});

test('chooses a text color with a contrast of at least 4.5 on every background', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  // Computed with the formula of WCAG 2.2.
  expect(contrast('#ffffff', '#0f766e')).toBeCloseTo(5.47325, 4);
  expect(contrast('#0a0a0a', '#000000')).toBeCloseTo(1.06071, 4);
  expect(contrast('#050505', '#000000')).toBeCloseTo(1.03035, 4);
  const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(fc.property(colors, (color) => contrast(color, textOn(color)) >= 4.5));
});
