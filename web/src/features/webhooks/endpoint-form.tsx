import { useState } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { changedFields } from '../../ui/changed-fields.js';
import { ChecklistField } from '../../ui/checklist-field.js';
import { FormDialog } from '../../ui/dialog.js';
import { TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { Loaded } from '../../ui/states.js';
import { SigningSecretDialog } from './endpoint-dialogs.js';
import { webhookMessages } from './messages.js';
import {
  useCreateEndpoint,
  useEventTypes,
  useUpdateEndpoint,
  type Endpoint,
  type EndpointChange,
  type Events,
  type EventType,
} from './webhooks.js';

const fields = ['url', 'events'];

/**
 * Returns the URL and events in a form. The events are not validated here: the form offers only `*` and the event types
 * that the API returned, and the API validates them.
 */
const endpointIn = (values: FormData): { url: string; events: Events } => ({
  url: textOf(values, 'url'),
  events: values.getAll('events') as Events,
});

/** Returns the changes that a form makes to the endpoint with which it was loaded. */
function changeIn(values: FormData, loaded: Endpoint): EndpointChange {
  const { url, events } = endpointIn(values);
  return changedFields({ url, events: events.toSorted() }, { ...loaded, events: loaded.events.toSorted() });
}

/** The address and the event types of an endpoint. */
function EndpointFields({ endpoint }: { endpoint?: Endpoint }) {
  const t = useMessages(webhookMessages);
  return (
    <>
      <TextField name="url" type="url" label={t.url} hint={t.urlHint} defaultValue={endpoint?.url} autoComplete="off" />
      <Loaded query={useEventTypes()}>
        {(types) => (
          <ChecklistField
            name="events"
            label={t.events}
            groups={groupsOf(types, t.everything, t.allEvents)}
            defaultValues={endpoint?.events ?? ['*']}
          />
        )}
      </Loaded>
    </>
  );
}

/** Returns groups of options: one for all event types, then the event types of each resource. */
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

/** Creates an endpoint, then shows its signing secret. */
export function CreateEndpointDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(webhookMessages);
  const create = useCreateEndpoint();
  const types = useEventTypes();
  const [created, setCreated] = useState<{ secret: string }>();
  if (created) return <SigningSecretDialog secret={created.secret} onClose={onClose} />;
  return (
    <FormDialog
      title={t.create}
      action={t.createAction}
      fields={fields}
      read={endpointIn}
      mutation={create}
      disabled={types.data === undefined}
      onDone={setCreated}
      onClose={onClose}
    >
      <EndpointFields />
    </FormDialog>
  );
}

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useMessages(webhookMessages);
  const ui = useMessages(uiMessages);
  const types = useEventTypes();
  const [loaded] = useState(endpoint);
  return (
    <FormDialog
      title={t.edit}
      action={ui.save}
      fields={fields}
      read={(values) => changeIn(values, loaded)}
      mutation={useUpdateEndpoint(endpoint)}
      disabled={types.data === undefined}
      doneText={() => t.saved}
      onClose={onClose}
    >
      <EndpointFields endpoint={loaded} />
    </FormDialog>
  );
}
