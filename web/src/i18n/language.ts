import { createPreference, usePreference } from '../preferences/preference.js';

export const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

/** The name of each language in that language. */
export const languageNames: Record<Language, string> = { en: 'English', id: 'Bahasa Indonesia' };

/** Returns the first of the `preferred` languages that the application supports, else English. */
export function preferredLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const code = tag.toLowerCase().split('-')[0];
    const language = languages.find((each) => each === code);
    if (language) return language;
  }
  return 'en';
}

const browserLanguages = typeof navigator === 'undefined' ? [] : navigator.languages;

export const languagePreference = createPreference<Language>(
  'tautan.language',
  languages,
  preferredLanguage(browserLanguages),
);

export const useLanguage = (): Language => usePreference(languagePreference);
