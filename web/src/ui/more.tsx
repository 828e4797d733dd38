import { useEffect, useRef } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import { uiMessages } from './messages.js';

/** Loads the next page when the end of the list is less than 600 px below the viewport. */
const PRELOAD_MARGIN = '0px 0px 600px';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** Loads the next page of a list when the end of the list comes near the viewport, or when the button is pressed. */
export function More({ query }: { query: Pages }) {
  const t = useMessages(uiMessages);
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isReady = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isReady || !end.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: PRELOAD_MARGIN,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isReady, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end}>
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? t.retry : t.more}
      </Button>
    </div>
  );
}
