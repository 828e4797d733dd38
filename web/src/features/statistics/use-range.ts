import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { rangeOf, statisticsSearch, type Range, type SearchChange, type StatisticsSearch } from './range.js';

/** Returns the statistics range in the URL of the current page, and a function that changes it. */
export function useRange(): { search: StatisticsSearch; range: Range; change: (part: SearchChange) => void } {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = statisticsSearch(raw);
  const key = JSON.stringify(search);
  const range = useMemo(() => rangeOf(JSON.parse(key) as StatisticsSearch, new Date()), [key]);
  const change = (part: SearchChange): void =>
    // The router omits undefined parameters from the URL.
    void navigate({ to: '.', search: { ...raw, ...part } as StatisticsSearch, replace: true, resetScroll: false });
  return { search, range, change };
}
