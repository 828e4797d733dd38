import { useLanguage, type Language } from './language.js';

/** Number, date and plural formats of a language. Dates are in the browser's time zone. */
export interface Formats {
  number: (value: number) => string;
  /** Formats an amount of a currency (ISO 4217): without decimals if it is whole, otherwise with two. */
  money: (amount: number, currency: string) => string;
  date: (iso: string) => string;
  dateTime: (iso: string) => string;
  /** Formats a calendar month, YYYY-MM. */
  month: (month: string) => string;
  /** Returns the form for a count, with `#` replaced by the number. */
  plural: (count: number, forms: { one?: string; other: string }) => string;
}

/** Returns the formats of a language. */
export function formatsOf(language: Language): Formats {
  const number = new Intl.NumberFormat(language);
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const rules = new Intl.PluralRules(language);
  return {
    number: (value) => number.format(value),
    money: (amount, currency) => {
      const digits = Number.isInteger(amount) ? 0 : 2;
      const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return new Intl.NumberFormat(language, { style: 'currency', currency, ...fraction }).format(amount);
    },
    date: (iso) => date.format(new Date(iso)),
    dateTime: (iso) => dateTime.format(new Date(iso)),
    month: (text) => month.format(new Date(`${text}-01`)),
    plural: (count, { one, other }) => {
      const form = rules.select(count) === 'one' ? (one ?? other) : other;
      return form.replace('#', number.format(count));
    },
  };
}

export const formats: Record<Language, Formats> = { en: formatsOf('en'), id: formatsOf('id') };

/** Returns the formats of the user's language. */
export const useFormats = (): Formats => formats[useLanguage()];
