import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { Form, FormActions, TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { focusHeading } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { useAddDomain, useDeleteDomain, useUpdateDomain, type Domain } from './domains.js';
import { domainMessages } from './messages.js';

export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(domainMessages);
  const ui = useMessages(uiMessages);
  const { mutate, error, isPending } = useAddDomain();
  const add = (values: FormData): void =>
    mutate(textOf(values, 'domain'), {
      onSuccess: ({ domain }) => {
        onClose();
        toast(t.added(domain));
      },
    });
  return (
    <Dialog title={t.add} onClose={onClose}>
      <Form error={error} fields={['domain']} onSubmit={add}>
        <TextField name="domain" label={t.domain} hint={t.domainHint} autoCapitalize="none" autoComplete="off" />
        <FormActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" disabled={isPending}>
            {t.addAction}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

export function DeleteDomainDialog({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const t = useMessages(domainMessages);
  const { mutate, error, isPending } = useDeleteDomain(domain);
  const remove = (): void =>
    mutate(undefined, {
      onSuccess: () => {
        onClose();
        focusHeading();
        toast(t.deleted(domain.domain));
      },
    });
  return (
    <ConfirmDialog
      title={t.deleteTitle(domain.domain)}
      text={t.deleteText}
      action={t.deleteAction}
      error={error}
      pending={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

const pageFields = ['brandName', 'brandLogoUrl', 'brandColor', 'rootUrl', 'notFoundUrl', 'expiredUrl'] as const;

/** Asks for the brand of a domain's pages, and for where its root, unknown and ended links lead. */
export function DomainPagesDialog({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const t = useMessages(domainMessages);
  const ui = useMessages(uiMessages);
  const { mutate, error, isPending } = useUpdateDomain(domain);
  const save = (values: FormData): void =>
    mutate(Object.fromEntries(pageFields.map((name) => [name, textOf(values, name) || null])), {
      onSuccess: () => {
        onClose();
        toast(t.pagesSaved(domain.domain));
      },
    });
  return (
    <Dialog title={t.pagesOf(domain.domain)} onClose={onClose}>
      <Form error={error} fields={pageFields} onSubmit={save}>
        {pageFields.map((name) => (
          <TextField
            key={name}
            name={name}
            label={t.pages[name].label}
            hint={t.pages[name].hint}
            defaultValue={domain[name] ?? ''}
            autoComplete="off"
            optional
          />
        ))}
        <FormActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" disabled={isPending}>
            {ui.save}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
