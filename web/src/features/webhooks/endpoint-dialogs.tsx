import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import { webhookMessages } from './messages.js';
import { useDeleteEndpoint, useRotateSecret, type Endpoint } from './webhooks.js';

export function DeleteEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useMessages(webhookMessages);
  return (
    <ConfirmDialog
      title={t.deleteTitle}
      text={t.deleteText(endpoint.url)}
      action={t.deleteAction}
      mutation={useDeleteEndpoint(endpoint)}
      doneText={() => t.deleted}
      onClose={onClose}
    />
  );
}

/** Shows the signing secret of an endpoint, which the API returns only once. */
export function SigningSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useMessages(webhookMessages);
  return (
    <SecretDialog title={t.secret} text={t.secretText} secret={secret} copyLabel={t.copySecret} onClose={onClose} />
  );
}

/** Asks before replacing the signing secret, then shows the new one. */
export function RotateSecretDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useMessages(webhookMessages);
  const rotate = useRotateSecret(endpoint);
  const [rotated, setRotated] = useState<{ secret: string }>();
  if (rotated) return <SigningSecretDialog secret={rotated.secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t.rotateTitle}
      text={t.rotateText}
      action={t.rotate}
      mutation={rotate}
      onDone={setRotated}
      onClose={onClose}
    />
  );
}
