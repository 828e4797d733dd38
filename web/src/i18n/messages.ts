import { useLanguage, type Language } from './language.js';

/** Messages of one part of the application in every language. Each translation has the same keys as the English one. */
export type Messages<En> = { en: En } & Record<Exclude<Language, 'en'>, En>;

/** Returns messages in the user's language. */
export const useMessages = <En>(messages: Messages<En>): En => messages[useLanguage()];
