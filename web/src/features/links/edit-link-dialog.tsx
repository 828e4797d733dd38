import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Form, FormActions } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { toast } from '../../ui/toast.js';
import { linkFieldNames, LinkFields, linkIn } from './link-fields.js';
import { useUpdateLink, type Link, type LinkChange } from './links.js';
import { linkMessages } from './messages.js';
import { toLocalInput } from './local-time.js';

/** Returns what a form changes of a link. Its domain stays, and its expiry, whose seconds the form does not show. */
function changeIn(values: FormData, link: Link): LinkChange {
  const { domain: _domain, slug, expiresAt, ...change } = linkIn(values);
  const isSameExpiry = values.get('expiresAt') === (link.expiresAt ? toLocalInput(link.expiresAt) : '');
  return { ...change, slug: slug ?? '', ...(!isSameExpiry && { expiresAt: expiresAt ?? null }) };
}

export function EditLinkDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const t = useMessages(linkMessages);
  const ui = useMessages(uiMessages);
  const { mutate, error, isPending } = useUpdateLink(link);
  const save = (values: FormData): void =>
    mutate(changeIn(values, link), {
      onSuccess: () => {
        onClose();
        toast(t.saved);
      },
    });
  return (
    <Dialog title={t.editTitle(link.slug)} onClose={onClose}>
      <Form error={error} fields={linkFieldNames} onSubmit={save}>
        <LinkFields link={link} error={error} />
        <FormActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" disabled={isPending}>
            {t.save}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
