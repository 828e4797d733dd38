import { useMessages } from '../../i18n/messages.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { focusHeading } from '../../ui/page.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import { toast } from '../../ui/toast.js';
import { webhookMessages } from './messages.js';
import { useDeleteEndpoint, useRotateSecret, type Endpoint } from './webhooks.js';

export function DeleteEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useMessages(webhookMessages);
  const { mutate, error, isPending } = useDeleteEndpoint(endpoint);
  const remove = (): void =>
    mutate(undefined, {
      onSuccess: () => {
        onClose();
        focusHeading();
        toast(t.deleted);
      },
    });
  return (
    <ConfirmDialog
      title={t.deleteTitle}
      text={t.deleteText(endpoint.url)}
      action={t.deleteAction}
      error={error}
      pending={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** Asks before replacing the signing secret, then shows the new one once. */
export function RotateSecretDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useMessages(webhookMessages);
  const { mutate, data, error, isPending } = useRotateSecret(endpoint);
  if (data)
    return (
      <SecretDialog
        title={t.secret}
        text={t.secretText}
        secret={data.secret}
        copyLabel={t.copySecret}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      title={t.rotateTitle}
      text={t.rotateText}
      action={t.rotate}
      error={error}
      pending={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
