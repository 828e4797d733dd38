import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { changedFields } from '../../ui/changed-fields.js';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.js';
import { TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { useAddDomain, useDeleteDomain, useUpdateDomain, type Domain, type DomainPages } from './domains.js';
import { domainMessages } from './messages.js';

export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(domainMessages);
  return (
    <FormDialog
      title={t.add}
      action={t.addAction}
      fields={['domain']}
      read={(values) => textOf(values, 'domain')}
      mutation={useAddDomain()}
      doneText={({ domain }) => t.added(domain)}
      onClose={onClose}
    >
      <TextField name="domain" label={t.domain} hint={t.domainHint} autoCapitalize="none" autoComplete="off" />
    </FormDialog>
  );
}

export function DeleteDomainDialog({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const t = useMessages(domainMessages);
  return (
    <ConfirmDialog
      title={t.deleteTitle(domain.domain)}
      text={t.deleteText}
      action={t.deleteAction}
      mutation={useDeleteDomain(domain)}
      doneText={() => t.deleted(domain.domain)}
      onClose={onClose}
    />
  );
}

const pageFields = ['brandName', 'brandLogoUrl', 'brandColor', 'rootUrl', 'notFoundUrl', 'expiredUrl'] as const;

/** Returns the page settings of the form that differ from `loaded`, the domain as it was when the dialog opened. */
const pagesIn = (values: FormData, loaded: Domain): DomainPages =>
  changedFields<DomainPages>(
    Object.fromEntries(pageFields.map((name) => [name, textOf(values, name) || null])),
    loaded,
  );

/** Edits the brand of a domain's pages, and the redirects of its root and of unknown and expired links. */
export function DomainPagesDialog({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const t = useMessages(domainMessages);
  const ui = useMessages(uiMessages);
  const [loaded] = useState(domain);
  return (
    <FormDialog
      title={t.pagesOf(domain.domain)}
      action={ui.save}
      fields={pageFields}
      read={(values) => pagesIn(values, loaded)}
      mutation={useUpdateDomain(domain)}
      doneText={() => t.pagesSaved(domain.domain)}
      onClose={onClose}
    >
      {pageFields.map((name) => (
        <TextField
          key={name}
          name={name}
          label={t.pages[name].label}
          hint={t.pages[name].hint}
          defaultValue={loaded[name] ?? ''}
          autoComplete="off"
          optional
        />
      ))}
    </FormDialog>
  );
}
