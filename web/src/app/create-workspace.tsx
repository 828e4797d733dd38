import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/session-context.js';
import { useMessages } from '../i18n/messages.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Form, FormActions, TextField, textOf } from '../ui/form.js';
import { uiMessages } from '../ui/messages.js';
import { toast } from '../ui/toast.js';
import { appMessages } from './messages.js';
import { useSwitchWorkspace } from './workspace-switcher.js';

/** Creates a workspace and switches to it. */
export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(appMessages);
  const ui = useMessages(uiMessages);
  const api = useApi();
  const queries = useQueryClient();
  const { mutateAsync: switchTo } = useSwitchWorkspace();
  const create = useMutation({
    mutationFn: (name: string) => api.post('/workspaces', { body: { name }, workspaceId: null }),
    onSuccess: async ({ id, name }) => {
      await queries.invalidateQueries({ queryKey: ['workspaces'] });
      onClose();
      await switchTo(id);
      toast(t.workspaceCreated(name));
    },
  });
  return (
    <Dialog title={t.newWorkspace} onClose={onClose}>
      <Form error={create.error} fields={['name']} onSubmit={(values) => create.mutate(textOf(values, 'name'))}>
        <TextField name="name" label={t.workspaceName} autoFocus autoComplete="organization" />
        <FormActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" disabled={create.isPending}>
            {t.createWorkspace}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
