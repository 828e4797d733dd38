import { Archive, RotateCcw, Tags, Trash2, X } from 'lucide-react';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import type { LinkDialogState } from './link-dialogs.js';
import styles from './links-page.module.css';
import { linkMessages } from './messages.js';
import type { Selection } from './selection.js';
import { useChange } from './use-change.js';

/** Toolbar with the actions for the selected links. */
export function BulkBar({ selection, onOpen }: { selection: Selection; onOpen: (open: LinkDialogState) => void }) {
  const t = useMessages(linkMessages);
  const { change, isPending } = useChange((failures) => onOpen({ kind: 'failures', failures }));
  const { links } = selection;
  return (
    <div className={styles['bulk']} role="toolbar" aria-label={t.selected(links.length)}>
      <span role="status" className={styles['count']}>
        {t.selected(links.length)}
      </span>
      <Button disabled={isPending} onClick={() => change({ action: 'archive', links })}>
        <Archive aria-hidden />
        {t.archive}
      </Button>
      <Button disabled={isPending} onClick={() => change({ action: 'activate', links })}>
        <RotateCcw aria-hidden />
        {t.activate}
      </Button>
      <Button disabled={isPending} onClick={() => onOpen({ kind: 'addTag', links })}>
        <Tags aria-hidden />
        {t.addTag}
      </Button>
      <Button disabled={isPending} onClick={() => onOpen({ kind: 'removeTag', links })}>
        {t.removeTag}
      </Button>
      <Button disabled={isPending} onClick={() => onOpen({ kind: 'delete', links })}>
        <Trash2 aria-hidden />
        {t.delete}
      </Button>
      <Button variant="quiet" icon aria-label={t.clearSelection} onClick={() => selection.setAll(false)}>
        <X aria-hidden />
      </Button>
    </div>
  );
}
