import { useLanguage } from '../../i18n/language.js';
import type { Granularity } from './range.js';

const timeFormats: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
};
const tickFormats: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
};

/** Returns functions that format times of a series in a time zone: in full, and abbreviated for an axis. */
export function useTimeFormats(granularity: Granularity, timeZone: string) {
  const language = useLanguage();
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone });
    return (iso: string): string => format.format(new Date(iso));
  };
  return { full: formatter(timeFormats[granularity]), tick: formatter(tickFormats[granularity]) };
}

/** Returns functions that format fractions as shares and as changes in percent, and numbers as short axis labels. */
export function useShareFormats() {
  const language = useLanguage();
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const change = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return {
    share: (value: number) => share.format(value),
    change: (value: number) => change.format(value),
    compact: (value: number) => compact.format(value),
  };
}

/**
 * Returns a function that returns the name of a country by its ISO 3166-1 alpha-2 code, or undefined if it is unknown.
 */
export function useCountryNames(): (code: string) => string | undefined {
  const names = new Intl.DisplayNames([useLanguage()], { type: 'region', fallback: 'none' });
  return (code) => (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined);
}
