import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge } from '../../ui/badge.js';
import { VisuallyHidden } from '../../ui/states.js';
import table from '../../ui/table.module.css';
import { LinkCell, LinkStatus } from './link-cells.js';
import type { LinkDialogState } from './link-dialogs.js';
import { LinkMenu } from './link-menu.js';
import styles from './links-page.module.css';
import type { Link } from './links.js';
import { linkMessages } from './messages.js';
import type { Selection } from './selection.js';

const ROW_PX = 73;

interface LinkTableProps {
  links: readonly Link[];
  /** Absent for users who may not change links. */
  selection: Selection | undefined;
  onOpen: (open: LinkDialogState) => void;
}

/** A virtualized table of links: only the rows near the viewport are rendered. */
export function LinkTable({ links, selection, onOpen }: LinkTableProps) {
  const t = useMessages(linkMessages);
  const frame = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => setScrollMargin(frame.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({ count: links.length, estimateSize: () => ROW_PX, overscan: 12, scrollMargin });
  const visible = rows.getVirtualItems();
  const before = (visible[0]?.start ?? scrollMargin) - scrollMargin;
  const after = rows.getTotalSize() - ((visible.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <div ref={frame} className={table['frame']}>
      <table className={`${table['table']} ${styles['table']}`} aria-label={t.title} aria-rowcount={links.length + 1}>
        <LinkTableHead links={links} selection={selection} />
        <tbody>
          <Space height={before} />
          {visible.map(({ index }) => (
            <tr key={links[index]!.id} ref={rows.measureElement} data-index={index} aria-rowindex={index + 2}>
              <LinkRow link={links[index]!} selection={selection} onOpen={onOpen} />
            </tr>
          ))}
          <Space height={after} />
        </tbody>
      </table>
    </div>
  );
}

/** Placeholder for rows that are not rendered. */
const Space = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td className={styles['space']} style={{ height }} />
    </tr>
  );

function LinkTableHead({ links, selection }: Pick<LinkTableProps, 'links' | 'selection'>) {
  const t = useMessages(linkMessages);
  const isAll = selection !== undefined && links.every(({ id }) => selection.has(id));
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && (
          <th scope="col" className={styles['select']}>
            <input type="checkbox" aria-label={t.selectAll} checked={isAll} onChange={() => selection.setAll(!isAll)} />
          </th>
        )}
        <th scope="col">{t.link}</th>
        <th scope="col" className={`${table['hiddenOnNarrow']} ${styles['tagColumn']}`}>
          {t.tags}
        </th>
        <th scope="col" className={`${table['hiddenOnNarrow']} ${styles['statusColumn']}`}>
          {t.status}
        </th>
        <th scope="col" className={`${table['end']} ${styles['clickColumn']}`}>
          {t.clicks}
        </th>
        <th scope="col" className={`${table['end']} ${table['hiddenOnNarrow']} ${styles['dateColumn']}`}>
          {t.createdAt}
        </th>
        <th scope="col" className={`${table['actions']} ${styles['menuColumn']}`}>
          <VisuallyHidden>{t.actions}</VisuallyHidden>
        </th>
      </tr>
    </thead>
  );
}

function LinkRow({ link, selection, onOpen }: Omit<LinkTableProps, 'links'> & { link: Link }) {
  const t = useMessages(linkMessages);
  const { number, date } = useFormats();
  const { id, slug, tags, status, clickCount, createdAt } = link;
  return (
    <>
      {selection && (
        <td className={styles['select']}>
          <input
            type="checkbox"
            aria-label={t.selectLink(slug)}
            checked={selection.has(id)}
            onChange={() => selection.toggle(id)}
          />
        </td>
      )}
      <td>
        <LinkCell link={link} />
      </td>
      <td className={table['hiddenOnNarrow']}>
        <span className={styles['tags']}>
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      </td>
      <td className={table['hiddenOnNarrow']}>
        <LinkStatus status={status} />
      </td>
      <td className={table['end']}>{number(clickCount)}</td>
      <td className={`${table['end']} ${table['hiddenOnNarrow']}`}>{date(createdAt)}</td>
      <td className={table['actions']}>
        <LinkMenu link={link} canEdit={selection !== undefined} onOpen={onOpen} />
      </td>
    </>
  );
}
