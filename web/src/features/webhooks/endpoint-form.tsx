import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { ChecklistField } from '../../ui/checklist-field.js';
import { Dialog } from '../../ui/dialog.js';
import { Form, FormActions, TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import { Loaded } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { webhookMessages } from './messages.js';
import {
  useCreateEndpoint,
  useEventTypes,
  useUpdateEndpoint,
  type Endpoint,
  type Events,
  type EventType,
} from './webhooks.js';

interface EndpointFormProps {
  endpoint?: Endpoint;
  action: string;
  error: unknown;
  pending: boolean;
  onSubmit: (url: string, events: Events) => void;
  onClose: () => void;
}

/** Asks for the address and the event types of an endpoint. */
function EndpointForm({ endpoint, action, error, pending, onSubmit, onClose }: EndpointFormProps) {
  const t = useMessages(webhookMessages);
  const ui = useMessages(uiMessages);
  const query = useEventTypes();
  return (
    <Form
      error={error}
      fields={['url', 'events']}
      // The API checks the names; the form offers only those of its catalogue.
      onSubmit={(values) => onSubmit(textOf(values, 'url'), values.getAll('events') as Events)}
    >
      <TextField name="url" type="url" label={t.url} hint={t.urlHint} defaultValue={endpoint?.url} autoComplete="off" />
      <Loaded query={query}>
        {(types) => (
          <ChecklistField
            name="events"
            label={t.events}
            groups={groupsOf(types, t.everything, t.allEvents)}
            defaultValues={endpoint?.events ?? ['*']}
          />
        )}
      </Loaded>
      <FormActions>
        <Button onClick={onClose}>{ui.cancel}</Button>
        <Button look="primary" type="submit" disabled={pending || query.data === undefined}>
          {action}
        </Button>
      </FormActions>
    </Form>
  );
}

/** The event types by the resource that they are about, after the choice of all. */
function groupsOf(types: readonly EventType[], everything: string, allEvents: string) {
  const resources = [...new Set(types.map(({ type }) => type.split('.')[0] ?? type))];
  return [
    { title: everything, options: [{ value: '*', text: allEvents }] },
    ...resources.map((title) => ({
      title,
      options: types
        .filter(({ type }) => type.startsWith(`${title}.`))
        .map(({ type, description }) => ({ value: type, hint: description })),
    })),
  ];
}

export function CreateEndpointDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(webhookMessages);
  const { mutate, data, error, isPending } = useCreateEndpoint();
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
    <Dialog title={t.create} onClose={onClose}>
      <EndpointForm
        action={t.createAction}
        error={error}
        pending={isPending}
        onSubmit={(url, events) => mutate({ url, events })}
        onClose={onClose}
      />
    </Dialog>
  );
}

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useMessages(webhookMessages);
  const ui = useMessages(uiMessages);
  const { mutate, error, isPending } = useUpdateEndpoint(endpoint);
  const save = (url: string, events: Events): void =>
    mutate(
      { url, events },
      {
        onSuccess: () => {
          onClose();
          toast(t.saved);
        },
      },
    );
  return (
    <Dialog title={t.edit} onClose={onClose}>
      <EndpointForm
        endpoint={endpoint}
        action={ui.save}
        error={error}
        pending={isPending}
        onSubmit={save}
        onClose={onClose}
      />
    </Dialog>
  );
}
