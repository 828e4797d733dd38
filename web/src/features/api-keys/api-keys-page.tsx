import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../api/session-context.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { CreateKeyDialog, RevokeKeyDialog } from './api-key-dialogs.js';
import { useApiKeys, type ApiKey } from './api-keys.js';
import { apiKeyMessages } from './messages.js';

/** The workspace's API keys, for owners and admins. */
export function ApiKeysPage() {
  const t = useMessages(apiKeyMessages);
  const canManage = useCan('admin');
  const query = useApiKeys();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = canManage && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={query.data?.length !== 0 && create}>
      <Loaded query={query}>
        {(keys) =>
          keys.length > 0 ? (
            <KeyTable keys={keys} onRevoke={setRevoking} />
          ) : (
            <EmptyState icon={KeyRound} title={t.emptyTitle} text={t.emptyText}>
              {create}
            </EmptyState>
          )
        }
      </Loaded>
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {revoking && <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

function KeyTable({ keys, onRevoke }: { keys: ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  const t = useMessages(apiKeyMessages);
  const { date, dateTime } = useFormats();
  const columns: Column<ApiKey>[] = [
    { header: t.label, cell: ({ label }) => <strong>{label}</strong> },
    { header: t.key, cell: ({ prefix }) => <code>{prefix}…</code>, onNarrow: 'below' },
    {
      header: t.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? dateTime(lastUsedAt) : t.neverUsed),
      onNarrow: 'below',
    },
    { header: t.createdAt, cell: ({ createdAt }) => date(createdAt), kind: 'end', onNarrow: 'hidden' },
    {
      header: t.actions,
      kind: 'actions',
      cell: (key) => (
        <Button aria-label={t.revokeOf(key.label)} onClick={() => onRevoke(key)}>
          {t.revoke}
        </Button>
      ),
    },
  ];
  return <Table label={t.title} columns={columns} rows={keys} keyOf={({ id }) => id} />;
}
