import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.js';
import { TextField, textOf } from '../../ui/form.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import { useCreateApiKey, useRevokeApiKey, type ApiKey } from './api-keys.js';
import { apiKeyMessages } from './messages.js';

/** Asks for a label, then shows the key once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(apiKeyMessages);
  const create = useCreateApiKey();
  const [created, setCreated] = useState<{ label: string; key: string }>();
  if (created)
    return (
      <SecretDialog
        title={t.created(created.label)}
        text={t.createdText}
        secret={created.key}
        copyLabel={t.copy}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={t.create}
      action={t.createAction}
      fields={['label']}
      read={(values) => textOf(values, 'label')}
      mutation={create}
      onDone={setCreated}
      onClose={onClose}
    >
      <TextField name="label" label={t.label} hint={t.labelHint} autoComplete="off" />
    </FormDialog>
  );
}

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useMessages(apiKeyMessages);
  return (
    <ConfirmDialog
      title={t.revokeTitle(apiKey.label)}
      text={t.revokeText(apiKey.prefix)}
      action={t.revokeAction}
      mutation={useRevokeApiKey(apiKey)}
      doneText={() => t.revoked(apiKey.label)}
      onClose={onClose}
    />
  );
}
