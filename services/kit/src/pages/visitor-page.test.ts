import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { productIcon, visitorPage } from './visitor-page.js';

const text = { code: '404', heading: 'Not here', text: 'Check the spelling.' };
const brand = { name: 'Toko Sari', logo: null, color: '#b91c1c' };

test('shows the name and the color of a brand, with readable text', () => {
  const { html } = visitorPage(text, brand);
  expect(html).toContain('<title>Not here · Toko Sari</title>');
  expect(html).toContain('<span class="badge" aria-hidden="true">T</span>Toko Sari');
  expect(html).toContain('Short links by Toko Sari');
  expect(html).toContain(':root{--brand:#b91c1c;--on-brand:#ffffff}');
  expect(visitorPage(text, { ...brand, color: '#facc15' }).html).toContain('--on-brand:#000000');
});

test('shows its text, declares its language and encoding, and asks search engines not to index it', () => {
  const { html } = visitorPage(text, brand);
  expect(html).toContain('<p>Check the spelling.</p>');
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
  expect(html).toContain('<meta name="robots" content="noindex">');
});

test('allows images only from data URLs and from the origin of the logo', () => {
  const logo = 'https://cdn.example.com/logo.svg?a=1&b="';
  const page = visitorPage(text, { ...brand, logo });
  expect(page.html).toContain('<img src="https://cdn.example.com/logo.svg?a=1&amp;b=&quot;" alt="Toko Sari">');
  expect(page.contentSecurityPolicy).toContain('img-src data: https://cdn.example.com;');
  for (const withoutOrigin of [null, 'data:image/png;base64,AAAA'])
    expect(visitorPage(text, { ...brand, logo: withoutOrigin }).contentSecurityPolicy).toContain('img-src data:;');
});

test('escapes all texts and the name of the brand', () => {
  const { html } = visitorPage({ code: '<b>', heading: '<i>', text: '&' }, { ...brand, name: `<script>"'` });
  expect(html).not.toMatch(/<script|<b>|<i>/);
  expect(html).toContain('<span class="badge" aria-hidden="true">&lt;</span>&lt;script&gt;&quot;&#39;');
  expect(html).toContain('<p class="code">&lt;b&gt;</p>\n<h1>&lt;i&gt;</h1>\n<p>&amp;</p>');
});

test('shows a status code only if there is one', () => {
  expect(visitorPage(text, brand).html).toContain('<p class="code">404</p>');
  expect(visitorPage({ ...text, code: '' }, brand).html).not.toContain('class="code"');
});

test("shows the product's mark, or for another brand the first character of its name in upper case", () => {
  expect(visitorPage(text, { ...brand, name: 'Tautan' }).html).toContain('aria-hidden="true"><svg');
  expect(productIcon).toContain('color="#0f766e"');
  for (const [name, sign] of [
    ['toko', 'T'],
    ['😀 toko', '😀'],
  ] as const) {
    expect(visitorPage(text, { ...brand, name }).html).toContain(`aria-hidden="true">${sign}</span>${name}`);
  }
});

test('has the logo of the brand as its icon, or else a mark in the color of the brand', () => {
  const data = 'data:image/png;base64,AAAA';
  expect(visitorPage(text, { ...brand, logo: data }).html).toContain(`<link rel="icon" href="${data}">`);
  const icon = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/.exec(visitorPage(text, brand).html)![1]!;
  expect(decodeURIComponent(icon)).toContain('color="#b91c1c"');
});

test('allows its own style and images from data URLs, and blocks all other sources and form targets', () => {
  const { html, contentSecurityPolicy } = visitorPage(text, brand);
  const style = /<style>([^]*)<\/style>/.exec(html)![1]!;
  const hash = createHash('sha256').update(style).digest('base64');
  expect(contentSecurityPolicy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});
