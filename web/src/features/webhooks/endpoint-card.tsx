import { Ellipsis, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useErrorText } from '../../api/errors.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card, Facts } from '../../ui/card.js';
import { Menu, MenuItem } from '../../ui/menu.js';
import { Notice } from '../../ui/notice.js';
import { toast } from '../../ui/toast.js';
import { webhookMessages } from './messages.js';
import { useTestEndpoint, useUpdateEndpoint, type Endpoint } from './webhooks.js';
import type { EndpointAction } from './webhooks-page.js';

interface EndpointCardProps {
  endpoint: Endpoint;
  canManage: boolean;
  onAction: (action: EndpointAction) => void;
}

/** A webhook endpoint with its state and actions. */
export function EndpointCard({ endpoint, canManage, onAction }: EndpointCardProps) {
  const t = useMessages(webhookMessages);
  const { dateTime } = useFormats();
  const { url, events, active, disabledReason, createdAt } = endpoint;
  return (
    <Card
      title={url}
      actions={
        <>
          <Badge tone={active ? 'success' : 'neutral'}>{active ? t.active : t.paused}</Badge>
          {canManage && <EndpointActions endpoint={endpoint} onAction={onAction} />}
        </>
      }
    >
      {disabledReason && <Notice tone="danger">{t.disabled(disabledReason)}</Notice>}
      <Facts
        facts={[
          [t.events, events.includes('*') ? t.allEvents : events.join(', ')],
          [t.createdAt, dateTime(createdAt)],
        ]}
      />
    </Card>
  );
}

function EndpointActions({ endpoint, onAction }: Pick<EndpointCardProps, 'endpoint' | 'onAction'>) {
  const t = useMessages(webhookMessages);
  const describe = useErrorText();
  const test = useTestEndpoint(endpoint);
  const { mutate: update, mutateAsync: revert } = useUpdateEndpoint(endpoint);
  const onError = (error: unknown): void => toast(describe(error));
  const { active, url } = endpoint;
  const toggle = (): void =>
    update(
      { active: !active },
      { onSuccess: () => toast(active ? t.pausedNow : t.resumed, () => revert({ active })), onError },
    );
  const trigger = (
    <Button variant="quiet" icon aria-label={t.actionsFor(url)}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <>
      <Button
        disabled={test.isPending || !active}
        onClick={() => test.mutate(undefined, { onSuccess: () => toast(t.testSent), onError })}
      >
        {t.test}
      </Button>
      <Menu trigger={trigger}>
        <MenuItem onSelect={() => onAction('edit')}>
          <Pencil aria-hidden />
          {t.edit}
        </MenuItem>
        <MenuItem onSelect={toggle}>
          {active ? <Pause aria-hidden /> : <Play aria-hidden />}
          {active ? t.pause : t.resume}
        </MenuItem>
        <MenuItem onSelect={() => onAction('rotate')}>
          <KeyRound aria-hidden />
          {t.rotate}
        </MenuItem>
        <MenuItem danger onSelect={() => onAction('delete')}>
          <Trash2 aria-hidden />
          {t.delete}
        </MenuItem>
      </Menu>
    </>
  );
}
