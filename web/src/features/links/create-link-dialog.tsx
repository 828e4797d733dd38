import { Link as RouterLink } from '@tanstack/react-router';
import { useMessages } from '../../i18n/messages.js';
import { Button, buttonClass } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { Form, FormActions } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { withoutScheme } from './link-cells.js';
import styles from './link-dialogs.module.css';
import { linkFieldNames, LinkFields, linkIn } from './link-fields.js';
import { useCreateLink, type Link } from './links.js';
import { linkMessages } from './messages.js';
import { QrPanel } from './qr-panel.js';

/** Creates a link, and then shows its short address and QR code. */
export function CreateLinkDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(linkMessages);
  const ui = useMessages(uiMessages);
  const { mutate, data, error, isPending } = useCreateLink();
  if (data) return <ReadyDialog link={data} onClose={onClose} />;
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form error={error} fields={linkFieldNames} onSubmit={(values) => mutate(linkIn(values))}>
        <LinkFields error={error} />
        <FormActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" disabled={isPending}>
            {t.createAction}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
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
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      </FormActions>
    </Dialog>
  );
}
