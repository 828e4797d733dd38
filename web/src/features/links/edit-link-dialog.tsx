import { useMessages } from '../../i18n/messages.js';
import { FormDialog } from '../../ui/dialog.js';
import { linkFieldNames, LinkFields, linkOfForm } from './link-fields.js';
import { useUpdateLink, type Link, type LinkChange } from './links.js';
import { linkMessages } from './messages.js';

/** Returns the changes that a form makes to a link. The domain cannot be changed. */
function changeIn(values: FormData, link: Link): LinkChange {
  const { domain: _domain, slug, ...change } = linkOfForm(values, link);
  return { ...change, slug: slug ?? '' };
}

export function EditLinkDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const t = useMessages(linkMessages);
  const update = useUpdateLink(link);
  return (
    <FormDialog
      title={t.editTitle(link.slug)}
      action={t.save}
      fields={linkFieldNames}
      read={(values) => changeIn(values, link)}
      mutation={update}
      notice={() => t.saved}
      onClose={onClose}
    >
      <LinkFields link={link} error={update.error} />
    </FormDialog>
  );
}
