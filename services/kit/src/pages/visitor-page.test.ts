import { expect, test } from '@jest/globals';
import { visitorPage } from './visitor-page.js';

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

test('loads a logo only from its origin', () => {
  const logo = 'https://cdn.example.com/logo.svg?a=1&b="';
  const page = visitorPage(text, { ...brand, logo });
  expect(page.html).toContain('<img src="https://cdn.example.com/logo.svg?a=1&amp;b=&quot;" alt="Toko Sari">');
  expect(page.contentSecurityPolicy).toContain('img-src data: https://cdn.example.com;');
  for (const own of [null, 'data:image/png;base64,AAAA'])
    expect(visitorPage(text, { ...brand, logo: own }).contentSecurityPolicy).toContain('img-src data:;');
});

test('escapes everything', () => {
  const { html } = visitorPage({ code: '<b>', heading: '<i>', text: '&' }, { ...brand, name: `<script>"'` });
  expect(html).not.toMatch(/<script|<b>|<i>/);
  expect(html).toContain('&lt;script&gt;&quot;&#39;');
});
