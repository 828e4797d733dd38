import { useLanguage, type Language } from './language.js';

/** Messages of one part of the application in every language. A translation has exactly the keys of the English one. */
export type Messages<En> = { en: En } & Record<Exclude<Language, 'en'>, En>;

/** Returns messages in the user's language. */
export const useMessages = <En>(messages: Messages<En>): En => messages[useLanguage()];
