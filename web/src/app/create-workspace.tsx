import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/session-context.js';
import { useMessages } from '../i18n/messages.js';
import { FormDialog } from '../ui/dialog.js';
import { TextField, textOf } from '../ui/form.js';
import { appMessages } from './messages.js';
import { useSwitchWorkspace } from './workspace-switcher.js';

function useCreateWorkspace() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.post('/workspaces', { body: { name }, workspaceId: null }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['workspaces'] }),
  });
}

/** Creates a workspace and switches to it. */
export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(appMessages);
  const { mutate: switchTo } = useSwitchWorkspace();
  return (
    <FormDialog
      title={t.newWorkspace}
      action={t.createWorkspace}
      fields={['name']}
      read={(values) => textOf(values, 'name')}
      mutation={useCreateWorkspace()}
      notice={({ name }) => t.workspaceCreated(name)}
      onDone={({ id }) => {
        onClose();
        switchTo(id);
      }}
      onClose={onClose}
    >
      <TextField name="name" label={t.workspaceName} autoFocus autoComplete="organization" />
    </FormDialog>
  );
}
