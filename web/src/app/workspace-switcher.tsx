import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { tabWorkspace } from '../api/client.js';
import { useErrorText } from '../api/errors.js';
import { useApi, useSession } from '../api/session-context.js';
import { useMessages } from '../i18n/messages.js';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.js';
import { toast } from '../ui/toast.js';
import { VisuallyHidden } from '../ui/states.js';
import { CreateWorkspaceDialog } from './create-workspace.js';
import { appMessages } from './messages.js';
import styles from './shell.module.css';

/** Switches this tab to a workspace, and makes it the user's last active one. */
export function useSwitchWorkspace() {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const describe = useErrorText();
  return useMutation({
    mutationFn: (workspaceId: string) => api.post('/workspaces/switch', { body: { workspaceId }, workspaceId: null }),
    onSuccess: async (_workspace, workspaceId) => {
      tabWorkspace.set(workspaceId);
      await queries.invalidateQueries({ queryKey: ['session'] });
      await navigate({ to: '/' });
    },
    onError: (error) => toast(describe(error)),
  });
}

/** Query of the user's workspaces. Reading them also makes an invited user a member. */
export function useWorkspaces() {
  const api = useApi();
  const { user } = useSession();
  return useQuery({
    queryKey: ['workspaces', user?.id],
    queryFn: ({ signal }) => api.get('/workspaces', { signal }),
  });
}

/** The button that names the current workspace, and its menu to switch to another or create one. */
export function WorkspaceSwitcher() {
  const t = useMessages(appMessages);
  const { workspace } = useSession();
  const [creating, setCreating] = useState(false);
  const { mutate: switchTo } = useSwitchWorkspace();
  const { data: workspaces = [] } = useWorkspaces();
  const name = workspace?.name ?? t.noWorkspace;
  const trigger = (
    <button type="button" className={styles['menuButton']}>
      <span aria-hidden className={styles['avatar']}>
        {[...name][0]?.toUpperCase()}
      </span>
      <span className={styles['menuButtonText']}>
        <VisuallyHidden>{t.workspace}: </VisuallyHidden>
        {name}
        <small>{workspace?.plan}</small>
      </span>
      <ChevronsUpDown aria-hidden />
    </button>
  );
  return (
    <>
      <Menu align="start" trigger={trigger}>
        <MenuChoice
          label={t.workspace}
          value={workspace?.id}
          options={workspaces.map(({ id, name: text }) => ({ value: id, text }))}
          onChange={switchTo}
        />
        <MenuSeparator />
        <MenuItem onSelect={() => setCreating(true)}>
          <Plus aria-hidden />
          {t.newWorkspace}
        </MenuItem>
      </Menu>
      {creating && <CreateWorkspaceDialog onCreated={switchTo} onClose={() => setCreating(false)} />}
    </>
  );
}
