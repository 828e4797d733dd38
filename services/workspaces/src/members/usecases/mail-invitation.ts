import type { Log } from '@tautan/kit';
import type { TautanEvent } from '@tautan/proto';
import { isRecipientRefused, type Mailer } from '../../mail/mailer.js';
import type { MemberStore } from '../store/members.js';
import type { WorkspaceStore } from '../../store/index.js';

export interface MailDeps {
  mailer: Mailer;
  members: MemberStore;
  workspaces: WorkspaceStore;
  /** Name of the installation, from BRAND_NAME. */
  brand: string;
  /** URL of the web application. */
  appUrl: string;
  log: Log;
  now(): Date;
}

/**
 * Maximum age of an invitation that is mailed, milliseconds. Older ones predate the mail settings, come from a restored
 * stream, or could not be sent for a day.
 */
const MAX_AGE_MS = 86_400_000;

/**
 * Mails an invitation to the invited user, unless it has been accepted or withdrawn, or was made at the identity
 * provider. If it is older than a day, or the mail server permanently refuses the address, logs a warning and resolves; rejects
 * if the mail cannot be sent for another reason. After a crash, an invitation can be mailed twice, with the same
 * Message-ID.
 */
export async function mailInvitation(deps: MailDeps, event: TautanEvent<'member.invited'>): Promise<void> {
  const { id, at, workspaceId, actor, target } = event;
  if (isFromProvider(event)) return;
  const [member, workspace] = await Promise.all([deps.members.find(target.id), deps.workspaces.find(workspaceId)]);
  if (member?.workspaceId !== workspaceId || member.status !== 'invited' || !workspace) return;
  if (deps.now().getTime() - Date.parse(at) > MAX_AGE_MS) {
    deps.log.warn({ memberId: member._id }, 'did not mail an invitation that is older than a day');
    return;
  }
  const { subject, text } = invitationMail(deps, {
    inviter: actor.type === 'user' ? actor.name : '',
    workspace: workspace.name,
    email: member.email,
  });
  try {
    await deps.mailer.send({ id, to: member.email, subject, text });
  } catch (error) {
    if (!isRecipientRefused(error)) throw error;
    deps.log.warn({ err: error, memberId: member._id }, 'the mail server refused the address of an invitation');
  }
}

/**
 * Returns whether an invitation was found in the provider's list of members. Its age is unknown: the first read of a
 * workspace can find invitations that were made at the provider, and mailed by it, months ago.
 */
const isFromProvider = ({ actor: { type, name } }: TautanEvent): boolean => type === 'system' && name !== 'operator';

function invitationMail(
  { brand, appUrl }: Pick<MailDeps, 'brand' | 'appUrl'>,
  { inviter, workspace, email }: { inviter: string; workspace: string; email: string },
): { subject: string; text: string } {
  const subject = inviter
    ? `${inviter} invited you to ${workspace} on ${brand}`
    : `You are invited to ${workspace} on ${brand}`;
  const text = [
    `${inviter ? `${inviter} invited you` : 'You are invited'} to the workspace ${workspace} on ${brand}.`,
    `To accept, sign in or create an account with this email address (${email}):`,
    appUrl,
    'If you do not know the sender, ignore this email.',
  ].join('\n\n');
  return { subject, text: `${text}\n` };
}
