import { TautanError } from '@tautan/sdk';
import { CircleAlert, Lock, SearchX, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { isForbidden, isMissing, useErrorText } from '../api/errors.js';
import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import { uiMessages } from './messages.js';
import { Notice } from './notice.js';
import styles from './states.module.css';

interface StateProps {
  icon: LucideIcon;
  /** Omitted if the page's heading already says the same. */
  title?: string;
  text: string;
  children?: ReactNode;
}

/** Explains why a page has no content, and what the user can do. */
export const EmptyState = ({ icon: Icon, title, text, children }: StateProps) => (
  <section className={styles['state']}>
    <span className={styles['icon']}>
      <Icon aria-hidden />
    </span>
    {title && <h2 className={styles['title']}>{title}</h2>}
    <p className={styles['text']}>{text}</p>
    {children && <div className={styles['action']}>{children}</div>}
  </section>
);

/**
 * Explains why a page could not be loaded. Contains a button to try again, unless access to the page is denied or
 * the record does not exist.
 */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useMessages(uiMessages);
  const describe = useErrorText();
  if (isForbidden(error)) return <EmptyState icon={Lock} title={t.forbidden} text={t.forbiddenHint} />;
  if (isMissing(error)) return <EmptyState icon={SearchX} title={t.missing} text={t.missingHint} />;
  const requestId = error instanceof TautanError ? error.requestId : undefined;
  return (
    <div role="alert">
      <EmptyState icon={CircleAlert} title={t.failed} text={describe(error)}>
        <Button onClick={onRetry}>{t.retry}</Button>
        {requestId && <p className={styles['detail']}>{t.requestId(requestId)}</p>}
      </EmptyState>
    </div>
  );
}

/** Placeholders while a list is loading. */
export function Skeletons({ rows = 5 }: { rows?: number }) {
  const t = useMessages(uiMessages);
  return (
    <div className={styles['skeletons']} role="status">
      <VisuallyHidden>{t.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles['skeleton']} />
      ))}
    </div>
  );
}

/** Visually hidden text for screen readers. */
export const VisuallyHidden = ({ children }: { children: ReactNode }) => (
  <span className={styles['hidden']}>{children}</span>
);

interface Loadable<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Shows a query's data, or placeholders while it is loading, or its error with a button to try again. */
export function Loaded<T>({ query, children }: { query: Loadable<T>; children: (data: T) => ReactNode }) {
  const retry = (): void => void query.refetch();
  if (query.data === undefined) return query.error ? <ErrorState error={query.error} onRetry={retry} /> : <Skeletons />;
  return (
    <>
      {Boolean(query.error) && <StaleNotice onRetry={retry} />}
      {children(query.data)}
    </>
  );
}

/** Warns that the data below could not be refetched. */
function StaleNotice({ onRetry }: { onRetry: () => void }) {
  const t = useMessages(uiMessages);
  return (
    <Notice role="status">
      {t.stale} <Button onClick={onRetry}>{t.retry}</Button>
    </Notice>
  );
}
