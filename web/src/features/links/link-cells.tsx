import { Link as RouterLink } from '@tanstack/react-router';
import { useMessages } from '../../i18n/messages.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { CopyButton } from '../../ui/copy-button.js';
import table from '../../ui/table.module.css';
import styles from './links-page.module.css';
import type { Link } from './links.js';
import { linkMessages } from './messages.js';

const tones: Record<Link['status'], Tone> = { active: 'success', expired: 'warning', archived: 'neutral' };

/** Returns a URL without its scheme, for display. */
export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

export function LinkStatus({ status }: Pick<Link, 'status'>) {
  const t = useMessages(linkMessages);
  return <Badge tone={tones[status]}>{t.statuses[status]}</Badge>;
}

/**
 * The short URL, linked to the link's page, and the title or destination. On narrow screens, also the status unless it
 * is active.
 */
export function LinkCell({ link: { id, slug, shortUrl, title, url, status } }: { link: Link }) {
  const t = useMessages(linkMessages);
  const { host } = new URL(shortUrl);
  return (
    <>
      <span className={styles['short']}>
        <RouterLink to="/links/$linkId" params={{ linkId: id }}>
          <span className={styles['host']}>{host}</span>
          <span>/{slug}</span>
        </RouterLink>
        <CopyButton text={shortUrl} label={t.copy(shortUrl)} />
      </span>
      <span className={styles['destination']} title={url}>
        {title ?? withoutScheme(url)}
      </span>
      {status !== 'active' && (
        <span className={table['below']}>
          <LinkStatus status={status} />
        </span>
      )}
    </>
  );
}
