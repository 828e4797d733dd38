import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import {
  browserTimeZone,
  dateIn,
  rangeOf,
  statisticsSearch,
  type Range,
  type SearchChange,
  type StatisticsSearch,
} from './range.js';

const DAY_CHECK_MS = 60_000;

/** Returns a time on the current day in a time zone. It stays the same until midnight. */
function useToday(timeZone: string): Date {
  const [today, setToday] = useState(() => new Date());
  useEffect(() => {
    const update = (before: Date): Date => {
      const now = new Date();
      return dateIn(timeZone, now) === dateIn(timeZone, before) ? before : now;
    };
    const timer = setInterval(() => setToday(update), DAY_CHECK_MS);
    return () => clearInterval(timer);
  }, [timeZone]);
  return today;
}

/** Returns the statistics range in the URL of the current page, and a function that changes it. */
export function useRange(): { search: StatisticsSearch; range: Range; change: (part: SearchChange) => void } {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = statisticsSearch(raw);
  const key = JSON.stringify(search);
  const today = useToday(search.tz ?? browserTimeZone());
  const range = useMemo(() => rangeOf(JSON.parse(key) as StatisticsSearch, today), [key, today]);
  const change = (part: SearchChange): void =>
    // The router omits undefined parameters from the URL.
    void navigate({ to: '.', search: { ...raw, ...part } as StatisticsSearch, replace: true, resetScroll: false });
  return { search, range, change };
}
