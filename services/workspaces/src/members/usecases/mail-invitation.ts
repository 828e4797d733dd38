import type { Log } from '@tautan/kit';
import type { Plans, TautanEvent } from '@tautan/proto';
import { isRecipientRefused, type Mailer } from '../../mail/mailer.js';
import type { InvitationMailStore } from '../store/invitation-mails.js';
import type { MemberStore } from '../store/members.js';
import type { WorkspaceStore } from '../../store/index.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';

export interface MailDeps {
  mailer: Mailer;
  members: MemberStore;
  workspaces: WorkspaceStore;
  invitationMails: InvitationMailStore;
  plans: Plans;
  /** Name of the installation, from BRAND_NAME. */
  brand: string;
  /** URL of the web application. */
  appUrl: string;
  log: Log;
  now(): Date;
}

const DAY_MS = 86_400_000;

/**
 * Maximum age of an invitation that is mailed, milliseconds. Older ones predate the mail settings, come from a restored
 * stream, or could not be sent for a day.
 */
const MAX_AGE_MS = DAY_MS;

/**
 * Maximum number of emails to an address per workspace and day. An invitation can be removed and sent again, so the
 * plan's member limit does not bound the number of emails.
 */
const MAX_MAILS_PER_ADDRESS = 3;
/** Maximum number of emails per workspace and day, as a multiple of the plan's member limit. */
const MAILS_PER_MEMBER = 10;

/**
 * Mails an invitation to the invited user, unless it has been accepted or withdrawn, or was made at the identity
 * provider. Logs a warning and resolves if the invitation is older than a day, if the workspace has sent too many emails
 * within a day, or if the mail server permanently refuses the address. Rejects if the mail cannot be sent for another
 * reason. After a crash, an invitation can be mailed twice, with the same Message-ID.
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
  if (await hasSentTooMany(deps, workspace, member.email)) {
    deps.log.warn({ memberId: member._id, workspaceId }, 'did not mail an invitation: too many within a day');
    return;
  }
  const { subject, text } = invitationMail(deps, {
    inviter: actor.type === 'user' ? withoutUrls(actor.name) : '',
    workspace: withoutUrls(workspace.name),
    email: member.email,
  });
  try {
    await deps.mailer.send({ id, to: member.email, subject, text });
  } catch (error) {
    if (!isRecipientRefused(error)) throw error;
    deps.log.warn({ err: error, memberId: member._id }, 'the mail server refused the address of an invitation');
  }
  // Refused emails count, too: many of them damage the reputation of the sender.
  await deps.invitationMails.record({ _id: id, workspaceId, email: member.email, at: deps.now() });
}

/**
 * Returns whether an invitation was found in the provider's list of members. Its age is unknown: the first read of a
 * workspace can find invitations that were made at the provider, and mailed by it, months ago.
 */
const isFromProvider = ({ actor: { type, name } }: TautanEvent): boolean => type === 'system' && name !== 'operator';

/**
 * Returns whether the workspace has sent as many emails within a day as it may, in total or to the address. Concurrent
 * emails can exceed the limits by the number of concurrent emails.
 */
async function hasSentTooMany(deps: MailDeps, { _id, plan }: Workspace, email: string): Promise<boolean> {
  const sent = { workspaceId: _id, after: new Date(deps.now().getTime() - DAY_MS) };
  const toAddress = await deps.invitationMails.count({ ...sent, email }, MAX_MAILS_PER_ADDRESS);
  if (toAddress >= MAX_MAILS_PER_ADDRESS) return true;
  const { members } = deps.plans[plan].limits;
  if (members === null) return false;
  return (await deps.invitationMails.count(sent, members * MAILS_PER_MEMBER)) >= members * MAILS_PER_MEMBER;
}

/** Changes a name so that mail clients find no URL in it. Users choose names freely, so a name can contain a URL. */
const withoutUrls = (name: string): string =>
  name.replace(/:\/+/g, ' ').replace(/(?<=\S)[.\u3002\uff0e\uff61](?=\S)/g, '·');

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
