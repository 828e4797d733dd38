import { useEffect, type ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  /** The heading, and the title of the browser's tab. */
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a page. Its heading receives the focus after navigation. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Tautan`;
  }, [title]);
  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <div>
          <h1 tabIndex={-1} className={styles['title']}>
            {title}
          </h1>
          {lead && <p className={styles['lead']}>{lead}</p>}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** Moves the focus to the page's heading without scrolling, for example when the focused element was deleted. */
export function focusHeading(): void {
  // A modal dialog that is being closed keeps the page inert until the next rendering.
  setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }));
}

/** A row of controls above a list. */
export const Toolbar = ({ children }: { children: ReactNode }) => <div className={styles['toolbar']}>{children}</div>;
