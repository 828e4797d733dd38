import { Building2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Button } from '../ui/button.js';
import { Page } from '../ui/page.js';
import { EmptyState, ErrorState, Loaded } from '../ui/states.js';
import { CreateWorkspaceDialog } from './create-workspace.js';
import { appMessages } from './messages.js';
import { useSwitchWorkspace, useWorkspaces } from './workspace-switcher.js';

/**
 * The page for users without a workspace. The page requests the user's workspaces. While the API handles this request,
 * the API accepts the user's invitations. If the response contains workspaces, the page switches to the first one.
 */
export function NoWorkspacePage() {
  const t = useMessages(appMessages);
  const query = useWorkspaces();
  const switching = useSwitchWorkspace();
  const { mutate: switchTo, isIdle } = switching;
  const [creating, setCreating] = useState(false);
  const joined = query.data?.[0]?.id;
  useEffect(() => {
    if (joined !== undefined && isIdle) switchTo(joined);
  }, [joined, isIdle, switchTo]);
  if (switching.isError) {
    return (
      <Page title={t.workspace}>
        <ErrorState error={switching.error} onRetry={() => switchTo(switching.variables)} />
      </Page>
    );
  }
  return (
    <Page title={t.workspace}>
      <Loaded query={query}>
        {(workspaces) =>
          workspaces.length === 0 && (
            <EmptyState icon={Building2} title={t.noWorkspaceTitle} text={t.noWorkspaceText}>
              <Button variant="primary" onClick={() => setCreating(true)}>
                {t.createWorkspace}
              </Button>
            </EmptyState>
          )
        }
      </Loaded>
      {creating && <CreateWorkspaceDialog onCreated={switchTo} onClose={() => setCreating(false)} />}
    </Page>
  );
}
