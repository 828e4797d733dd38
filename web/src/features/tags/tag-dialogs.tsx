import { useMessages } from '../../i18n/messages.js';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.js';
import { TextField, textOf } from '../../ui/form.js';
import { tagMessages } from './messages.js';
import { useCreateTag, useDeleteTag, useRenameTag, type Tag } from './tags.js';

const fields = ['name'];
const nameIn = (values: FormData): string => textOf(values, 'name');

function NameField({ value }: { value?: string }) {
  const t = useMessages(tagMessages);
  return <TextField name="name" label={t.name} hint={t.nameHint} defaultValue={value} autoComplete="off" autoFocus />;
}

export function CreateTagDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(tagMessages);
  return (
    <FormDialog
      title={t.create}
      action={t.createAction}
      fields={fields}
      read={nameIn}
      mutation={useCreateTag()}
      doneText={({ name }) => t.created(name)}
      onClose={onClose}
    >
      <NameField />
    </FormDialog>
  );
}

export function RenameTagDialog({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const t = useMessages(tagMessages);
  const rename = useRenameTag(tag);
  return (
    <FormDialog
      title={t.renameTitle(tag.name)}
      action={t.save}
      fields={fields}
      read={nameIn}
      mutation={rename}
      doneText={({ name }) => t.renamed(name)}
      undo={() => rename.mutateAsync(tag.name)}
      onClose={onClose}
    >
      <NameField value={tag.name} />
    </FormDialog>
  );
}

export function DeleteTagDialog({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const t = useMessages(tagMessages);
  return (
    <ConfirmDialog
      title={t.deleteTitle(tag.name)}
      text={t.deleteText(tag.linkCount, tag.qrCodeCount)}
      action={t.deleteAction}
      mutation={useDeleteTag(tag)}
      doneText={() => t.deleted(tag.name)}
      onClose={onClose}
    />
  );
}
