import { createPreference, usePreference } from '../preferences/preference.js';

export const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

/** The name of each language in that language. */
export const languageNames: Record<Language, string> = { en: 'English', id: 'Bahasa Indonesia' };

/** Returns the first of the `preferred` languages that the application supports, else English. */
export function preferredLanguage(preferred: readonly string[]): Language {
  const codes = preferred.map((tag) => tag.toLowerCase().split('-')[0]);
  return (
    languages.find((language) => codes.find((code) => languages.some((each) => each === code)) === language) ?? 'en'
  );
}

const browserLanguages = typeof navigator === 'undefined' ? [] : navigator.languages;

export const languagePreference = createPreference<Language>(
  'tautan.language',
  languages,
  preferredLanguage(browserLanguages),
);

export const useLanguage = (): Language => usePreference(languagePreference);
