import { useErrorText } from '../../api/errors.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Loaded } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { toast } from '../../ui/toast.js';
import { settingMessages } from './messages.js';
import { useEndSessions, useSessions, type UserSession } from './settings.js';
import { parseUserAgent } from './user-agent.js';

/** The browsers in which the user is signed in. */
export function Sessions() {
  const t = useMessages(settingMessages);
  const { dateTime } = useFormats();
  const query = useSessions();
  const describe = useErrorText();
  const { mutate, isPending } = useEndSessions();
  const end = (id?: string): void =>
    mutate(id, {
      onSuccess: () => toast(id === undefined ? t.othersEnded : t.sessionEnded),
      onError: (error) => toast(describe(error)),
    });
  const columns: Column<UserSession>[] = [
    { header: t.browser, cell: (session) => <BrowserCell session={session} /> },
    { header: t.address, cell: ({ ip }) => ip ?? '–', onNarrow: 'below' },
    { header: t.lastSeen, cell: ({ lastSeenAt }) => dateTime(lastSeenAt), kind: 'end', onNarrow: 'below' },
    {
      header: t.actions,
      kind: 'actions',
      cell: ({ id, current }) =>
        !current && (
          <Button disabled={isPending} onClick={() => end(id)}>
            {t.end}
          </Button>
        ),
    },
  ];
  const hasOthers = query.data?.some(({ current }) => !current) ?? false;
  return (
    <Card
      title={t.sessions}
      lead={t.sessionsLead}
      actions={
        hasOthers && (
          <Button disabled={isPending} onClick={() => end()}>
            {t.endOthers}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(sessions) => <Table label={t.sessions} columns={columns} rows={sessions} keyOf={({ id }) => id} />}
      </Loaded>
    </Card>
  );
}

function BrowserCell({ session: { userAgent, current } }: { session: UserSession }) {
  const t = useMessages(settingMessages);
  const known = parseUserAgent(userAgent ?? '');
  const name = known ? t.browserOn(known.browser, known.system) : (userAgent ?? t.unknownBrowser);
  return (
    <>
      <span title={userAgent ?? undefined}>{name}</span> {current && <Badge tone="accent">{t.current}</Badge>}
    </>
  );
}
