import { invitationAddress } from '../../api/client.js';
import { useSession } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { Form, FormActions, SelectField, TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { focusHeading } from '../../ui/page.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import { toast } from '../../ui/toast.js';
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
  return (
    <SelectField name="role" label={t.role} hint={t.roleHint} defaultValue={defaultValue}>
      {assignableRoles.map((role) => (
        <option key={role} value={role}>
          {t.roles[role]}: {t.rights[role]}
        </option>
      ))}
    </SelectField>
  );
}

/** Invites a user by email address, then shows the link at which they join. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(memberMessages);
  const ui = useMessages(uiMessages);
  const { workspace } = useSession();
  const { mutate, data, error, isPending } = useInviteMember();
  if (data)
    return (
      <SecretDialog
        title={t.invited(data.email)}
        text={t.invitedText(data.email)}
        secret={invitationAddress(workspace?.id ?? '')}
        copyLabel={t.copyLink}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={t.invite} onClose={onClose}>
      <Form
        error={error}
        fields={['email', 'role']}
        onSubmit={(values) => mutate({ email: textOf(values, 'email'), role: roleIn(values) })}
      >
        <TextField name="email" type="email" label={t.email} autoComplete="off" />
        <RoleField defaultValue="member" />
        <FormActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" disabled={isPending}>
            {t.inviteAction}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMessages(memberMessages);
  const ui = useMessages(uiMessages);
  const { mutate, error, isPending } = useChangeRole(member);
  const name = member.name || member.email;
  const before = assignableRoles.find((role) => role === member.role) ?? 'viewer';
  const change = (role: AssignableRole): void =>
    mutate(role, {
      onSuccess: () => {
        onClose();
        toast(t.roleChanged(name, t.roles[role]), () => mutate(before));
      },
    });
  return (
    <Dialog title={t.roleOf(name)} onClose={onClose}>
      <Form error={error} fields={['role']} onSubmit={(values) => change(roleIn(values))}>
        <RoleField defaultValue={before} />
        <FormActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" disabled={isPending}>
            {ui.save}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

export function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMessages(memberMessages);
  const { mutate, error, isPending } = useRemoveMember(member);
  const name = member.name || member.email;
  const remove = (): void =>
    mutate(undefined, {
      onSuccess: () => {
        onClose();
        focusHeading();
        toast(t.removed(name));
      },
    });
  return (
    <ConfirmDialog
      title={t.removeTitle(name)}
      text={t.removeText}
      action={t.removeAction}
      error={error}
      pending={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
