import { Link, useNavigate } from '@tanstack/react-router';
import { Archive, ChartLine, Ellipsis, Play, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useErrorText } from '../../api/errors.js';
import { useCan } from '../../api/session-context.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Button, buttonClass } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { ConfirmDialog, Dialog, DialogText } from '../../ui/dialog.js';
import { Menu, MenuItem } from '../../ui/menu.js';
import { toast } from '../../ui/toast.js';
import { qrMessages } from './messages.js';
import { useDeleteQrCode, useShareImage, useUpdateQrCode, type QrCode } from './qr-codes.js';
import styles from './qr.module.css';

/** The actions on a QR code other than editing it. */
export function QrActions({ code }: { code: QrCode }) {
  const t = useMessages(qrMessages);
  const canEdit = useCan('member');
  const describe = useErrorText();
  const [isDeleting, setDeleting] = useState(false);
  const share = useShareImage(code.id);
  const setStatus = useSetStatus(code);
  const trigger = (
    <Button variant="secondary" icon aria-label={t.actions}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <>
      <Link to="/qr-codes/$id/statistics" params={{ id: code.id }} className={buttonClass()}>
        <ChartLine aria-hidden />
        {t.statistics}
      </Link>
      {canEdit && (
        <Menu trigger={trigger}>
          <MenuItem onSelect={() => share.mutate(undefined, { onError: (error) => toast(describe(error)) })}>
            <Share2 aria-hidden />
            {t.share}
          </MenuItem>
          <MenuItem onSelect={() => setStatus(code.status === 'active' ? 'archived' : 'active')}>
            {code.status === 'active' ? <Archive aria-hidden /> : <Play aria-hidden />}
            {code.status === 'active' ? t.archive : t.activate}
          </MenuItem>
          <MenuItem danger onSelect={() => setDeleting(true)}>
            <Trash2 aria-hidden />
            {t.delete}
          </MenuItem>
        </Menu>
      )}
      {share.data && <ShareDialog {...share.data} onClose={share.reset} />}
      {isDeleting && <DeleteDialog code={code} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Returns a function that archives or activates a QR code and shows a toast with an undo button. */
function useSetStatus({ id, status }: QrCode): (next: 'active' | 'archived') => void {
  const t = useMessages(qrMessages);
  const describe = useErrorText();
  const { mutate, mutateAsync } = useUpdateQrCode(id);
  return (next) =>
    mutate(
      { status: next },
      {
        onSuccess: () => toast(next === 'archived' ? t.archived : t.activated, () => mutateAsync({ status })),
        onError: (error) => toast(describe(error)),
      },
    );
}

function ShareDialog({ url, expiresAt, onClose }: { url: string; expiresAt: string; onClose: () => void }) {
  const t = useMessages(qrMessages);
  const { dateTime } = useFormats();
  return (
    <Dialog title={t.shareTitle} onClose={onClose}>
      <DialogText>{t.shareText(dateTime(expiresAt))}</DialogText>
      <div className={styles['address']}>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
        <CopyButton text={url} label={t.copyAddress} />
      </div>
    </Dialog>
  );
}

function DeleteDialog({ code, onClose }: { code: QrCode; onClose: () => void }) {
  const t = useMessages(qrMessages);
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={t.deleteTitle(code.title ?? code.slug)}
      text={t.deleteText}
      action={t.deleteAction}
      mutation={useDeleteQrCode(code.id)}
      doneText={() => t.deleted}
      onDone={() => void navigate({ to: '/qr-codes', ignoreBlocker: true })}
      onClose={onClose}
    />
  );
}
