import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { Deliveries } from './deliveries.js';
import { DeliveryDialog } from './delivery-dialog.js';
import { EndpointCard } from './endpoint-card.js';
import { CreateEndpointDialog, EditEndpointDialog } from './endpoint-form.js';
import { DeleteEndpointDialog, RotateSecretDialog } from './endpoint-dialogs.js';
import { webhookMessages } from './messages.js';
import { webhooks, type WebhookSearch } from './routes.js';
import { useEndpoints, type Endpoint } from './webhooks.js';

const withoutDelivery = ({ delivery: _, ...rest }: WebhookSearch): WebhookSearch => rest;

export type EndpointAction = 'edit' | 'delete' | 'rotate';

/** The workspace's webhook endpoints and their deliveries. */
export function WebhooksPage() {
  const t = useMessages(webhookMessages);
  const canManage = useCan('admin');
  const query = useEndpoints();
  const search = webhooks.route.useSearch();
  const navigate = webhooks.route.useNavigate();
  const [creating, setCreating] = useState(false);
  const [open, setOpen] = useState<{ action: EndpointAction; endpoint: Endpoint }>();
  const go = (next: WebhookSearch): void => void navigate({ search: next, replace: true });
  const create = canManage && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={query.data?.length !== 0 && create}>
      <Loaded query={query}>
        {(endpoints) =>
          endpoints.length > 0 ? (
            <>
              {endpoints.map((endpoint) => (
                <EndpointCard
                  key={endpoint.id}
                  endpoint={endpoint}
                  canManage={canManage}
                  onAction={(action) => setOpen({ action, endpoint })}
                />
              ))}
              <Deliveries endpoints={endpoints} search={search} onSearch={go} />
            </>
          ) : (
            <EmptyState icon={Webhook} title={t.emptyTitle} text={t.emptyText}>
              {create}
            </EmptyState>
          )
        }
      </Loaded>
      {search.delivery && (
        <DeliveryDialog id={search.delivery} canManage={canManage} onClose={() => go(withoutDelivery(search))} />
      )}
      {creating && <CreateEndpointDialog onClose={() => setCreating(false)} />}
      {open && <OpenDialog {...open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

interface OpenDialogProps {
  action: EndpointAction;
  endpoint: Endpoint;
  onClose: () => void;
}

function OpenDialog({ action, endpoint, onClose }: OpenDialogProps) {
  if (action === 'edit') return <EditEndpointDialog endpoint={endpoint} onClose={onClose} />;
  if (action === 'rotate') return <RotateSecretDialog endpoint={endpoint} onClose={onClose} />;
  return <DeleteEndpointDialog endpoint={endpoint} onClose={onClose} />;
}
