import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog, FormDialog } from '../../ui/dialog.js';
import { FormActions, TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { useBulk, type BulkChange, type BulkFailure } from './bulk.js';
import { CreateLinkDialog } from './create-link-dialog.js';
import { EditLinkDialog } from './edit-link-dialog.js';
import styles from './link-dialogs.module.css';
import { useTagNames, type Link } from './links.js';
import { linkMessages } from './messages.js';
import { QrPanel } from './qr-panel.js';
import { useReport } from './use-change.js';

/** Which dialog is open, and its links. */
export type LinkDialogState =
  | { kind: 'create' }
  | { kind: 'edit' | 'qr'; link: Link }
  | { kind: 'delete' | 'addTag' | 'removeTag'; links: readonly Link[] }
  | { kind: 'failures'; failures: readonly BulkFailure[] };

interface LinkDialogsProps {
  open: LinkDialogState | undefined;
  onClose: () => void;
  onOpen: (open: LinkDialogState) => void;
  /** Called instead of `onClose` after all links were deleted. */
  onDeleted?: () => void;
}

/** The dialogs about links, of which at most one is open. */
export function LinkDialogs({ open, onClose, onOpen, onDeleted }: LinkDialogsProps) {
  switch (open?.kind) {
    case 'create':
      return <CreateLinkDialog onClose={onClose} />;
    case 'edit':
      return <EditLinkDialog link={open.link} onClose={onClose} />;
    case 'qr':
      return <QrDialog link={open.link} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog links={open.links} onClose={onClose} onOpen={onOpen} onDeleted={onDeleted ?? onClose} />;
    case 'addTag':
    case 'removeTag':
      return <TagDialog action={open.kind} links={open.links} onClose={onClose} onOpen={onOpen} />;
    case 'failures':
      return <FailuresDialog failures={open.failures} onClose={onClose} />;
    default:
      return null;
  }
}

function QrDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const t = useMessages(linkMessages);
  return (
    <Dialog title={t.qrCode} onClose={onClose}>
      <QrPanel link={link} />
    </Dialog>
  );
}

interface BulkDialogProps extends Pick<LinkDialogsProps, 'onClose' | 'onOpen'> {
  links: readonly Link[];
}

function DeleteDialog({ links, onClose, onOpen, onDeleted }: BulkDialogProps & { onDeleted: () => void }) {
  const t = useMessages(linkMessages);
  const report = useReport((failures) => onOpen({ kind: 'failures', failures }));
  return (
    <ConfirmDialog
      title={t.deleteTitle(links.length)}
      text={t.deleteText}
      action={t.deleteAction}
      mutation={useBulk()}
      variables={{ action: 'delete', links }}
      onDone={(result) => {
        if (result.failures.length === 0) onDeleted();
        report(result);
      }}
      onClose={onClose}
    />
  );
}

function TagDialog({ action, links, onClose, onOpen }: BulkDialogProps & { action: 'addTag' | 'removeTag' }) {
  const t = useMessages(linkMessages);
  const { data: known = [] } = useTagNames();
  const report = useReport((failures) => onOpen({ kind: 'failures', failures }));
  const names = action === 'addTag' ? known : [...new Set(links.flatMap(({ tags }) => tags))];
  return (
    <FormDialog
      title={t[action]}
      action={t[action]}
      fields={['tag']}
      read={(values): BulkChange => ({ action, links, tag: textOf(values, 'tag') })}
      mutation={useBulk()}
      onDone={(result) => {
        onClose();
        report(result);
      }}
      onClose={onClose}
    >
      <TextField name="tag" label={t.tagName} list="bulk-tags" maxLength={50} autoComplete="off" required />
      <datalist id="bulk-tags">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </FormDialog>
  );
}

function FailuresDialog({ failures, onClose }: { failures: readonly BulkFailure[]; onClose: () => void }) {
  const t = useMessages(linkMessages);
  const ui = useMessages(uiMessages);
  return (
    <Dialog title={t.failuresTitle(failures.length)} onClose={onClose}>
      <ul className={styles['failures']}>
        {failures.map(({ link, message }) => (
          <li key={link.id}>
            <strong>{link.slug}</strong>: {message}
          </li>
        ))}
      </ul>
      <FormActions>
        <Button onClick={onClose}>{ui.close}</Button>
      </FormActions>
    </Dialog>
  );
}
