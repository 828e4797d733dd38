import { useState } from 'react';
import { invitationAddress } from '../../api/client.js';
import { useSession } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.js';
import { SelectField, TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import {
  assignableRoles,
  useChangeRole,
  useInviteMember,
  useRemoveMember,
  type AssignableRole,
  type Member,
} from './members.js';
import { memberMessages } from './messages.js';

const roleIn = (values: FormData): AssignableRole =>
  assignableRoles.find((role) => role === textOf(values, 'role')) ?? 'viewer';

function RoleField({ defaultValue }: { defaultValue: AssignableRole }) {
  const t = useMessages(memberMessages);
  const [chosen, setChosen] = useState(defaultValue);
  const isDemotion = defaultValue === 'admin' && chosen !== 'admin';
  return (
    <SelectField
      name="role"
      label={t.role}
      hint={isDemotion ? `${t.rights[chosen]} ${t.demotion}` : t.rights[chosen]}
      value={chosen}
      onChange={({ target }) => setChosen(target.value as AssignableRole)}
    >
      {assignableRoles.map((role) => (
        <option key={role} value={role}>
          {t.roles[role]}
        </option>
      ))}
    </SelectField>
  );
}

/** Invites a user by email address, then shows the link for joining. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(memberMessages);
  const { workspace } = useSession();
  const invite = useInviteMember();
  const [invited, setInvited] = useState<Member>();
  if (invited)
    return (
      <SecretDialog
        title={t.invited(invited.email)}
        text={t.invitedText(invited.email)}
        secret={invitationAddress(workspace?.id ?? '')}
        copyLabel={t.copyLink}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={t.invite}
      action={t.inviteAction}
      fields={['email', 'role']}
      read={(values) => ({ email: textOf(values, 'email'), role: roleIn(values) })}
      mutation={invite}
      onDone={setInvited}
      onClose={onClose}
    >
      <TextField name="email" type="email" label={t.email} autoComplete="off" />
      <RoleField defaultValue="member" />
    </FormDialog>
  );
}

export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMessages(memberMessages);
  const ui = useMessages(uiMessages);
  const change = useChangeRole(member);
  const name = member.name || member.email;
  const before = assignableRoles.find((role) => role === member.role) ?? 'viewer';
  return (
    <FormDialog
      title={t.roleOf(name)}
      action={ui.save}
      fields={['role']}
      read={roleIn}
      mutation={change}
      doneText={({ role }) => t.roleChanged(name, t.roles[role])}
      undo={() => change.mutateAsync(before)}
      onClose={onClose}
    >
      <RoleField defaultValue={before} />
    </FormDialog>
  );
}

export function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMessages(memberMessages);
  const name = member.name || member.email;
  return (
    <ConfirmDialog
      title={t.removeTitle(name)}
      text={t.removeText}
      action={t.removeAction}
      mutation={useRemoveMember(member)}
      doneText={() => t.removed(name)}
      onClose={onClose}
    />
  );
}
