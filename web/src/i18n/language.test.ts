import { expect, test } from '@jest/globals';
import { preferredLanguage } from './language.js';

test.each([
  [['id-ID', 'en'], 'id'],
  [['en-GB', 'id'], 'en'],
  [['fr', 'ID', 'en'], 'id'],
  [['fr', 'de'], 'en'],
  [[], 'en'],
])('the preferred languages %j result in the language %s', (preferred, language) => {
  expect(preferredLanguage(preferred)).toBe(language);
});
