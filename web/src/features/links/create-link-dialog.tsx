import { Link as RouterLink } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { Button, buttonClass } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog, FormDialog } from '../../ui/dialog.js';
import { FormActions } from '../../ui/form.js';
import { withoutScheme } from './link-cells.js';
import styles from './link-dialogs.module.css';
import { linkFieldNames, LinkFields, linkOfForm } from './link-fields.js';
import { useCreateLink, type Link } from './links.js';
import { linkMessages } from './messages.js';
import { QrPanel } from './qr-panel.js';

/** Creates a link, then shows its short URL and QR code. */
export function CreateLinkDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(linkMessages);
  const create = useCreateLink();
  const [link, setLink] = useState<Link>();
  if (link) return <ReadyDialog link={link} onClose={onClose} />;
  return (
    <FormDialog
      title={t.create}
      action={t.createAction}
      fields={linkFieldNames}
      read={linkOfForm}
      mutation={create}
      onDone={setLink}
      onClose={onClose}
    >
      <LinkFields error={create.error} />
    </FormDialog>
  );
}

function ReadyDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const t = useMessages(linkMessages);
  return (
    <Dialog key="ready" title={t.readyTitle} onClose={onClose}>
      <p className={styles['ready']}>
        <a href={link.shortUrl} target="_blank" rel="noreferrer">
          {withoutScheme(link.shortUrl)}
        </a>
        <CopyButton text={link.shortUrl} label={t.copy(link.shortUrl)} />
      </p>
      <QrPanel link={link} />
      <FormActions>
        <RouterLink to="/links/$linkId" params={{ linkId: link.id }} className={buttonClass()}>
          {t.details}
        </RouterLink>
        <Button variant="primary" onClick={onClose}>
          {t.done}
        </Button>
      </FormActions>
    </Dialog>
  );
}
