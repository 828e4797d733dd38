import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { Form, FormActions, TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { focusHeading } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { tagMessages } from './messages.js';
import { useCreateTag, useDeleteTag, useRenameTag, type Tag } from './tags.js';

interface NameDialogProps {
  title: string;
  action: string;
  value?: string;
  error: unknown;
  pending: boolean;
  onSubmit: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a tag. */
function NameDialog({ title, action, value, error, pending, onSubmit, onClose }: NameDialogProps) {
  const t = useMessages(tagMessages);
  const ui = useMessages(uiMessages);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form error={error} fields={['name']} onSubmit={(values) => onSubmit(textOf(values, 'name'))}>
        <TextField name="name" label={t.name} hint={t.nameHint} defaultValue={value} autoComplete="off" autoFocus />
        <FormActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" disabled={pending}>
            {action}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

export function CreateTagDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(tagMessages);
  const { mutate, error, isPending } = useCreateTag();
  const create = (name: string): void =>
    mutate(name, {
      onSuccess: (tag) => {
        onClose();
        toast(t.created(tag.name));
      },
    });
  return (
    <NameDialog
      title={t.create}
      action={t.createAction}
      error={error}
      pending={isPending}
      onSubmit={create}
      onClose={onClose}
    />
  );
}

export function RenameTagDialog({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const t = useMessages(tagMessages);
  const { mutate, error, isPending } = useRenameTag(tag);
  const rename = (name: string): void =>
    mutate(name, {
      onSuccess: (renamed) => {
        onClose();
        toast(t.renamed(renamed.name), () => mutate(tag.name));
      },
    });
  return (
    <NameDialog
      title={t.renameTitle(tag.name)}
      action={t.save}
      value={tag.name}
      error={error}
      pending={isPending}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}

export function DeleteTagDialog({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const t = useMessages(tagMessages);
  const { mutate, error, isPending } = useDeleteTag(tag);
  const remove = (): void =>
    mutate(undefined, {
      onSuccess: () => {
        onClose();
        focusHeading();
        toast(t.deleted(tag.name));
      },
    });
  return (
    <ConfirmDialog
      title={t.deleteTitle(tag.name)}
      text={t.deleteText(tag.linkCount, tag.qrCodeCount)}
      action={t.deleteAction}
      error={error}
      pending={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
