import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { changedFields } from '../../ui/changed-fields.js';
import { FormDialog } from '../../ui/dialog.js';
import { linkFieldNames, LinkFields, linkOfForm } from './link-fields.js';
import { useUpdateLink, type Link, type LinkChange } from './links.js';
import { linkMessages } from './messages.js';

/**
 * Returns the values of the form that differ from `loaded`, the link as it was when the dialog opened. The domain
 * cannot be changed.
 */
function changeIn(values: FormData, loaded: Link): LinkChange {
  const { domain: _domain, slug, ...change } = linkOfForm(values, loaded);
  return changedFields({ ...change, slug: slug ?? '' }, loaded);
}

export function EditLinkDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const t = useMessages(linkMessages);
  const update = useUpdateLink(link);
  const [loaded] = useState(link);
  return (
    <FormDialog
      title={t.editTitle(link.slug)}
      action={t.save}
      fields={linkFieldNames}
      read={(values) => changeIn(values, loaded)}
      mutation={update}
      doneText={() => t.saved}
      onClose={onClose}
    >
      <LinkFields link={loaded} error={update.error} />
    </FormDialog>
  );
}
