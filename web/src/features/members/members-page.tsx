import { Ellipsis, Plus, ShieldCheck, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useCan, useSession } from '../../api/session-context.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Menu, MenuItem } from '../../ui/menu.js';
import { Page } from '../../ui/page.js';
import { Loaded } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { InviteDialog, RemoveDialog, RoleDialog } from './member-dialogs.js';
import { useMembers, type Member } from './members.js';
import { memberMessages } from './messages.js';

type Open = { kind: 'invite' } | { kind: 'role' | 'remove'; member: Member } | undefined;

/** Lists the members of the workspace. Owners and admins can invite and remove members, and change their roles. */
export function MembersPage() {
  const t = useMessages(memberMessages);
  const canManage = useCan('admin');
  const query = useMembers();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const invite = canManage && (
    <Button variant="primary" onClick={() => setOpen({ kind: 'invite' })}>
      <Plus aria-hidden />
      {t.invite}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={invite}>
      <Loaded query={query}>
        {(members) => <MemberTable members={members} onOpen={canManage ? setOpen : undefined} />}
      </Loaded>
      {open?.kind === 'invite' && <InviteDialog onClose={close} />}
      {open?.kind === 'role' && <RoleDialog member={open.member} onClose={close} />}
      {open?.kind === 'remove' && <RemoveDialog member={open.member} onClose={close} />}
    </Page>
  );
}

function MemberTable({ members, onOpen }: { members: Member[]; onOpen: ((open: Open) => void) | undefined }) {
  const t = useMessages(memberMessages);
  const { date } = useFormats();
  const { user } = useSession();
  const columns: Column<Member>[] = [
    { header: t.member, cell: (member) => <NameCell member={member} isSelf={member.userId === user?.id} /> },
    { header: t.role, cell: ({ role }) => t.roles[role], kind: 'word' },
    {
      header: t.status,
      onNarrow: 'below',
      cell: ({ status }) => <Badge tone={status === 'active' ? 'success' : 'warning'}>{t.statuses[status]}</Badge>,
    },
    { header: t.joinedAt, cell: ({ joinedAt }) => (joinedAt ? date(joinedAt) : '–'), kind: 'end', onNarrow: 'hidden' },
  ];
  if (onOpen)
    columns.push({
      header: t.actions,
      kind: 'actions',
      cell: (member) =>
        member.role !== 'owner' && member.userId !== user?.id && <MemberMenu member={member} onOpen={onOpen} />,
    });
  return <Table label={t.title} columns={columns} rows={members} keyOf={({ id }) => id} />;
}

function NameCell({ member: { name, email }, isSelf }: { member: Member; isSelf: boolean }) {
  const t = useMessages(memberMessages);
  return (
    <>
      <strong>{name || email}</strong> {isSelf && <Badge tone="accent">{t.you}</Badge>}
      {name && <div>{email}</div>}
    </>
  );
}

function MemberMenu({ member, onOpen }: { member: Member; onOpen: (open: Open) => void }) {
  const t = useMessages(memberMessages);
  const trigger = (
    <Button variant="quiet" icon aria-label={t.actionsFor(member.name || member.email)}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem onSelect={() => onOpen({ kind: 'role', member })}>
        <ShieldCheck aria-hidden />
        {t.changeRole}
      </MenuItem>
      <MenuItem danger onSelect={() => onOpen({ kind: 'remove', member })}>
        <UserMinus aria-hidden />
        {t.remove}
      </MenuItem>
    </Menu>
  );
}
