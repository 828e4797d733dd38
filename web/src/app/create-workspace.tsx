import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/session-context.js';
import { useMessages } from '../i18n/messages.js';
import { FormDialog } from '../ui/dialog.js';
import { TextField, textOf } from '../ui/form.js';
import { appMessages } from './messages.js';

function useCreateWorkspace() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.post('/workspaces', { body: { name }, workspaceId: null }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['workspaces'] }),
  });
}

interface CreateWorkspaceProps {
  /** Called with the id of the created workspace. */
  onCreated: (id: string) => void;
  onClose: () => void;
}

/** Creates a workspace. */
export function CreateWorkspaceDialog({ onCreated, onClose }: CreateWorkspaceProps) {
  const t = useMessages(appMessages);
  return (
    <FormDialog
      title={t.newWorkspace}
      action={t.createWorkspace}
      fields={['name']}
      read={(values) => textOf(values, 'name')}
      mutation={useCreateWorkspace()}
      doneText={({ name }) => t.workspaceCreated(name)}
      onDone={({ id }) => {
        onClose();
        onCreated(id);
      }}
      onClose={onClose}
    >
      <TextField name="name" label={t.workspaceName} autoFocus autoComplete="organization" />
    </FormDialog>
  );
}
