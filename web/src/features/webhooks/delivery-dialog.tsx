import { useErrorText } from '../../api/errors.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Code, Facts } from '../../ui/card.js';
import { Dialog } from '../../ui/dialog.js';
import { FormActions } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { Loaded } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { deliveryTones } from './deliveries.js';
import { webhookMessages } from './messages.js';
import styles from './webhooks.module.css';
import { useDelivery, useRetryDelivery, type Delivery } from './webhooks.js';

interface DeliveryDialogProps {
  id: string;
  canManage: boolean;
  onClose: () => void;
}

/** Details of one delivery: its body and every attempt. */
export function DeliveryDialog({ id, canManage, onClose }: DeliveryDialogProps) {
  const t = useMessages(webhookMessages);
  const ui = useMessages(uiMessages);
  const query = useDelivery(id);
  return (
    <Dialog title={query.data?.type ?? t.delivery} onClose={onClose}>
      <Loaded query={query}>{(delivery) => <DeliveryFacts delivery={delivery} />}</Loaded>
      <FormActions>
        {canManage && query.data && <RetryButton delivery={query.data} />}
        <Button onClick={onClose}>{ui.close}</Button>
      </FormActions>
    </Dialog>
  );
}

function RetryButton({ delivery: { id, status } }: { delivery: Delivery }) {
  const t = useMessages(webhookMessages);
  const describe = useErrorText();
  const { mutate, isPending } = useRetryDelivery(id);
  const retry = (): void =>
    mutate(undefined, { onSuccess: () => toast(t.retried), onError: (error) => toast(describe(error)) });
  return (
    <Button variant="primary" disabled={isPending || status === 'pending'} onClick={retry}>
      {t.retry}
    </Button>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const t = useMessages(webhookMessages);
  const { dateTime } = useFormats();
  const { status, eventId, nextRetryAt, body, attemptLog } = delivery;
  return (
    <div className={styles['delivery']}>
      <Facts
        facts={[
          [
            t.status,
            <Badge key="status" tone={deliveryTones[status]}>
              {t.statuses[status]}
            </Badge>,
          ],
          [t.eventId, <code key="event">{eventId}</code>],
          ...(nextRetryAt ? ([[t.nextRetry, dateTime(nextRetryAt)]] as const) : []),
        ]}
      />
      {body !== null && <Code label={t.body}>{indented(body)}</Code>}
      <ol>
        {attemptLog.map(({ n, at, durationMs, statusCode, error, responseSnippet }) => (
          <li key={n} className={styles['attempt']}>
            <span>
              <strong>{t.attempt(n)}</strong> {statusCode ?? error}
            </span>
            <small>
              {dateTime(at)} · {durationMs} ms
            </small>
            {responseSnippet && <Code label={t.responseOf(n)}>{responseSnippet}</Code>}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns JSON with indentation, and other text unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
