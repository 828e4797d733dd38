import { describe, expect, test } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { startServers } from '../testing/servers.js';
import { comparable, parseTerms, readableUrls, searchTerm } from '../values/search.js';
import { strictSchema } from './collections.js';
import { Search } from './search.js';

const baseUrl = 'https://go.example.com';
const search = new Search({ texts: ['title'], urls: ['url'], slug: 'slug', domain: 'domain' });

type Condition = Record<string, { $regex: string; $options?: string } | string | null>;

/** Returns whether the database would find a record with the filter. */
function passes(filter: Record<string, unknown>, record: Record<string, string | null>): boolean {
  const { $and = [] } = filter as { $and?: { $or: Condition[] }[] };
  const meets = (condition: Condition) =>
    Object.entries(condition).every(([field, wanted]) => {
      const value = record[field] ?? null;
      if (wanted === null || typeof wanted === 'string') return value === wanted;
      // The database matches code points, as the flag `u` makes JavaScript do. With this flag, JavaScript rejects `\-`.
      const pattern = wanted.$regex.replaceAll('\\-', '-');
      return value !== null && new RegExp(pattern, `${wanted.$options ?? ''}u`).test(value);
    });
  return $and.every(({ $or }) => $or.some(meets));
}

const anyText = fc.string({
  unit: fc.constantFrom(
    ..."aZ9kåéÉßẞſσςΣωếê\u212a\u212b\u2126日각😀%&+'()!.~-/",
    // Characters that normalization always decomposes or replaces, and unusual pairs of upper and lower case.
    ...'iİ\u09df\u095c\u0a36\ufb2c\u1f71\u1fbb\uf900ᾼϴ',
  ),
  minLength: 1,
  maxLength: 12,
});
const normalForm = fc.constantFrom('NFC' as const, 'NFD' as const);
/** Returns a part of a displayed text as a user may type it. */
const partOf = (text: string, [from, length, form]: [number, number, 'NFC' | 'NFD']): string => {
  const characters = Array.from(text);
  const start = from % characters.length;
  return characters
    .slice(start, start + 1 + length)
    .join('')
    .normalize(form);
};
const part = fc.tuple(fc.nat(40), fc.nat(10), normalForm);
const terms = (q: string) => parseTerms(q).map((text) => searchTerm(text, baseUrl));

describe('a search', () => {
  test('finds every part of a title, in upper or lower case, and in either Unicode normalization form', () => {
    fc.assert(
      fc.property(anyText, normalForm, part, fc.boolean(), (title, stored, which, upper) => {
        const record = { title: title.normalize(stored), url: null, slug: 's', domain: null };
        const q = partOf(comparable(title), which);
        const wanted = terms(upper && !/[ßſᾳ]/.test(q.normalize('NFC')) ? q.toUpperCase() : q);
        expect([passes(search.filter(wanted), record), search.matches(wanted, record)]).toEqual([true, true]);
      }),
    );
  });

  test('finds every part of a URL, as stored and as displayed', () => {
    const hosts = fc.constantFrom('example.com', 'münchen.example', 'bücher.日本.example:8080');
    fc.assert(
      fc.property(hosts, anyText, anyText, fc.nat(3), part, (host, path, query, form, which) => {
        const record = {
          title: null,
          url: new URL(`https://${host}/${encodeURIComponent(path)}/${path}?q=${query}`).href,
          slug: 's',
          domain: null,
        };
        const forms = readableUrls(record.url);
        const shown = forms[form % forms.length]!;
        const q = partOf(shown, which);
        // An ASCII part of a Unicode host name is only found if punycode contains it too.
        fc.pre(/^https:..(?:xn--|example.com)/.test(shown) || /[^\0-\x7f]/.test(q));
        const wanted = terms(q);
        expect([passes(search.filter(wanted), record), search.matches(wanted, record)]).toEqual([true, true]);
      }),
    );
  });

  test('finds every character as it is stored, in a title and in a URL', () => {
    const missed: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (comparable(character) === character) continue;
      // Surrounded by digits, because a mark could be combined with a letter.
      const text = `1${character}2`;
      const normalized = Array.from(comparable(text));
      const records = [
        { title: text, url: null, slug: 's', domain: null },
        { title: null, url: new URL(`https://example.com/${text}`).href, slug: 's', domain: null },
      ];
      for (const q of [text, character, ...normalized.map((_, i) => normalized.slice(i).join(''))]) {
        const filter = search.filter(terms(q));
        if (!records.every((record) => passes(filter, record))) missed.push(character);
      }
    }
    expect(missed).toEqual([]);
  });

  test.each([
    ['Bengali', '\u09b8\u09ae\u09df', '\u09b8\u09ae\u09af\u09bc'],
    ['Hindi', '\u0938\u095c\u0915', '\u0938\u0921\u093c\u0915'],
    ['Turkish', 'İndirim', 'indirim'],
    ['Greek', '\u03bd\u1f71', '\u039d\u0391\u0301'],
  ])('finds %s titles and paths by both spellings, whichever of them is stored', (_language, ...forms) => {
    for (const stored of forms) {
      const records = [
        { title: stored, url: null, slug: 's', domain: null },
        { title: null, url: new URL(`https://example.com/${stored}`).href, slug: 's', domain: null },
      ];
      for (const q of forms) {
        const wanted = terms(q);
        for (const record of records)
          expect([passes(search.filter(wanted), record), search.matches(wanted, record)]).toEqual([true, true]);
      }
    }
  });

  test('finds a percent-encoded character that matches an ASCII letter case-insensitively', () => {
    const record = { title: null, url: new URL('https://example.com/ſ').href, slug: 's', domain: null };
    const wanted = terms('/ſ');
    expect([passes(search.filter(wanted), record), search.matches(wanted, record)]).toEqual([true, true]);
  });

  test.each([
    'https://shop.example?utm_source=Mail',
    'HTTPS://shop.example#Part',
    'https://shop.example:443/x',
    'http://shop.example:80/x',
    'https://shop.example/x/../y',
    'https://bücher.example?x=1',
    'https://shop.example/Ä/ſ?x=a+b&y=%20',
    `https://shop.example?id=${'ä1'.repeat(100)}`,
  ])('finds a URL in the form in which it was given: %s', (given) => {
    const record = { title: null, url: new URL(given).href, slug: 's', domain: null };
    for (const q of [given, `${given} ${record.url}`]) {
      const wanted = terms(q);
      expect([passes(search.filter(wanted), record), search.matches(wanted, record)]).toEqual([true, true]);
    }
    const other = { ...record, url: `${record.url}`.slice(0, -1) };
    expect(search.matches(terms(given), other)).toBe(false);
  });

  test('finds long terms with a filter of bounded length', () => {
    const title = Array.from({ length: 100 }, (_, i) => `word${i}-${'😀é'.repeat(3)}`).join(' ');
    const record = { title, url: `https://example.com/${'x'.repeat(1_900)}`, slug: 's', domain: null };
    for (const q of [title, record.url]) {
      const wanted = terms(q);
      expect([passes(search.filter(wanted), record), search.matches(wanted, record)]).toEqual([true, true]);
      expect(JSON.stringify(search.filter(wanted)).length).toBeLessThan(20_000);
    }
    expect(search.matches(terms(`${record.url}y`), record)).toBe(false);
  });

  test.each([
    ['marks of several scripts', [...'\u0301\u0307\u0338\u05b4\u05c1\u093c\u0f72\u{1d165}'], '\u{1d16e}'],
    ['pairs of marks', ['\u0308\u0301'], '\u0344'],
    ['letters with marks', ['é', '\u65e5\u0301', 'i\u0307\u0338'], '\u0307'],
    ['letters with unusual capitals', ['k', 'ß', 'å', 'ω', 'ᾂ', '\u0390'], '\u0301'],
    ['encoded marks', ['\u0301%cc%81', 'i%cc%87', '%25'], '%25'],
  ])('does not take exponential time for texts with many %s', (_what, repeated, last) => {
    for (const each of repeated) {
      const filter = search.filter(terms(`${each.repeat(198 / each.length)}z`));
      for (const stored of [each, each.normalize('NFD'), each.replace(/.$/u, last)]) {
        const text = stored.repeat(200);
        const record = { title: text, url: new URL(`https://example.com/${text}`).href, slug: 's', domain: null };
        // A match that takes exponential time can only be interrupted from outside.
        const match = () => passes(filter, record);
        expect(() => void runInNewContext('match()', { match }, { timeout: 10_000 })).not.toThrow();
      }
    }
  });

  test('only returns records that contain the text', () => {
    const record = { title: 'Cafe\u0301', url: 'https://xn--mnchen-3ya.example/%C3%A9', slug: 'spring', domain: null };
    for (const q of [
      'cafe',
      'munchen',
      'x.example',
      'münster',
      'go.example.com',
      'go.example.org/spring',
      'go.example.com/springs',
    ])
      expect([q, search.matches(terms(q), record)]).toEqual([q, false]);
    for (const q of ['CAFÉ', 'mün', 'example/é', 'go.example.com/spring', 'https://go.example.com/SPR/?x#y'])
      expect([q, search.matches(terms(q), record)]).toEqual([q, true]);
  });
});

test('a short URL on a custom domain only matches links on that domain', () => {
  const onCustomDomain = { title: null, url: 'https://example.com/', slug: 'spring', domain: 'xn--gr-fka.example' };
  const onDefaultDomain = { ...onCustomDomain, domain: null };
  for (const q of ['https://gör.example/spring', 'xn--gr-fka.example/Spring/']) {
    const wanted = terms(q);
    for (const record of [onCustomDomain, onDefaultDomain]) {
      const found = record === onCustomDomain;
      expect([q, passes(search.filter(wanted), record), search.matches(wanted, record)]).toEqual([q, found, found]);
    }
  }
  expect(search.matches(terms('go.example.com/spring'), onCustomDomain)).toBe(false);
});

interface Searched {
  title: string;
  url?: string;
  slug?: string;
  domain?: string;
}

test('a search that stops before the end of its results closes its cursor', async () => {
  const servers = await startServers();
  const options = { dbName: servers.database, autoCreate: false, autoIndex: false, monitorCommands: true };
  const connection = await mongoose.createConnection(servers.mongodbUri, options).asPromise();
  try {
    const schema = strictSchema<Searched>({ title: String, url: String, slug: String, domain: String });
    const records = connection.model<Searched>('records', schema);
    await records.insertMany(['spring 1', 'spring 2', 'spring 3'].map((title) => ({ title })));
    const sent: string[] = [];
    connection.getClient().on('commandStarted', ({ commandName }) => sent.push(commandName));
    const wanted = terms('spring');
    const query = () => records.find(search.filter(wanted)).lean<Searched[]>();
    expect(await search.read(query(), wanted, 2)).toMatchObject([{ title: 'spring 1' }, { title: 'spring 2' }]);
    expect(sent.splice(0)).toEqual(['find', 'killCursors']);
    expect(await search.read(query(), wanted, 4)).toHaveLength(3);
    expect(sent).toEqual(['find']);
  } finally {
    await connection.dropDatabase();
    await connection.close();
    await servers.stop();
  }
});

describe('readableUrls', () => {
  test('leaves invalid UTF-8 unchanged', () => {
    expect(readableUrls('https://example.com/%ff%41')).toEqual(['https://example.com/%ff%41']);
    expect(readableUrls('https://example.com/%ff/%41')).toEqual([
      'https://example.com/%ff/%41',
      'https://example.com/%ff/a',
    ]);
  });
});
