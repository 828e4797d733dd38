import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { Form, FormActions, TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { focusHeading } from '../../ui/page.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import { toast } from '../../ui/toast.js';
import { useCreateApiKey, useRevokeApiKey, type ApiKey } from './api-keys.js';
import { apiKeyMessages } from './messages.js';

/** Asks for a label, then shows the key once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(apiKeyMessages);
  const ui = useMessages(uiMessages);
  const { mutate, data, error, isPending } = useCreateApiKey();
  if (data)
    return (
      <SecretDialog
        title={t.created(data.label)}
        text={t.createdText}
        secret={data.key}
        copyLabel={t.copy}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form error={error} fields={['label']} onSubmit={(values) => mutate(textOf(values, 'label'))}>
        <TextField name="label" label={t.label} hint={t.labelHint} autoComplete="off" />
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

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useMessages(apiKeyMessages);
  const { mutate, error, isPending } = useRevokeApiKey(apiKey);
  const revoke = (): void =>
    mutate(undefined, {
      onSuccess: () => {
        onClose();
        focusHeading();
        toast(t.revoked(apiKey.label));
      },
    });
  return (
    <ConfirmDialog
      title={t.revokeTitle(apiKey.label)}
      text={t.revokeText}
      action={t.revokeAction}
      error={error}
      pending={isPending}
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
