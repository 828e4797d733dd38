import { Archive, Ellipsis, ExternalLink, Pencil, QrCode, RotateCcw, Trash2 } from 'lucide-react';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.js';
import type { LinkDialogState } from './link-dialogs.js';
import type { Link } from './links.js';
import { linkMessages } from './messages.js';
import { useChange } from './use-change.js';

interface LinkMenuProps {
  link: Link;
  canEdit: boolean;
  onOpen: (open: LinkDialogState) => void;
}

/** The menu of actions for one link. */
export function LinkMenu({ link, canEdit, onOpen }: LinkMenuProps) {
  const t = useMessages(linkMessages);
  const trigger = (
    <Button variant="quiet" icon aria-label={t.actionsFor(link.slug)}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem onSelect={() => window.open(link.shortUrl, '_blank', 'noreferrer')}>
        <ExternalLink aria-hidden />
        {t.open}
      </MenuItem>
      <MenuItem onSelect={() => onOpen({ kind: 'qr', link })}>
        <QrCode aria-hidden />
        {t.qrCode}
      </MenuItem>
      {canEdit && <EditItems link={link} onOpen={onOpen} />}
    </Menu>
  );
}

function EditItems({ link, onOpen }: Omit<LinkMenuProps, 'canEdit'>) {
  const t = useMessages(linkMessages);
  const { change } = useChange((failures) => onOpen({ kind: 'failures', failures }));
  const isActive = link.status === 'active';
  const Toggle = isActive ? Archive : RotateCcw;
  return (
    <>
      <MenuItem onSelect={() => onOpen({ kind: 'edit', link })}>
        <Pencil aria-hidden />
        {t.edit}
      </MenuItem>
      <MenuItem onSelect={() => change({ action: isActive ? 'archive' : 'activate', links: [link] })}>
        <Toggle aria-hidden />
        {isActive ? t.archive : t.activate}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => onOpen({ kind: 'delete', links: [link] })}>
        <Trash2 aria-hidden />
        {t.delete}
      </MenuItem>
    </>
  );
}
