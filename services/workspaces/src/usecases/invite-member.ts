import { fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { emailAddress, roleToGive, writtenNow, type Member } from '../domain/member.js';
import { newMember, type SeenMember } from '../domain/mirror.js';
import type { ProvidedMember } from '../provider/identity-provider.js';
import type { PeopleDeps } from './deps.js';
import { managedWorkspace } from './managed-workspace.js';
import { tellMember } from './member-events.js';
import { push } from './push.js';
import { retryDuplicates } from './retry-duplicates.js';

interface Invitation {
  by: Principal;
  credential: string;
  email: string;
  role: string;
}

/**
 * Invites a person to the principal's workspace, at the identity provider and then here; tells `member.invited`. Throws
 * PERSON_ONLY, FORBIDDEN below admin, VALIDATION_ERROR naming `email` or `role`, ALREADY_MEMBER naming `email`,
 * UPSTREAM_UNAVAILABLE: then nothing changed here.
 */
export async function inviteMember(deps: PeopleDeps, { by, credential, ...asked }: Invitation): Promise<Member> {
  const workspace = await managedWorkspace(deps, by);
  const invitation = { email: emailAddress(asked.email), role: roleToGive(asked.role) };
  if (await deps.members.findByEmail(workspace._id, invitation.email)) throw alreadyMember();
  const pushed = await push(deps, { by, credential, workspace }, ({ directory, token, workspaceId }) =>
    directory.invite(token, workspaceId, invitation),
  );
  const seen: SeenMember = {
    externalId: pushed?.id ?? null,
    userId: pushed ? await knownPerson(deps, by, pushed) : null,
    email: invitation.email,
    name: pushed?.name ?? '',
    role: pushed?.role ?? invitation.role,
    status: pushed?.status ?? 'invited',
    joinedAt: pushed?.joinedAt ?? null,
  };
  const at = deps.now();
  const made = { ...newMember(workspace._id, seen, at), asOf: writtenNow(at) };
  return retryDuplicates(() => deps.transact(by, (tx) => write(deps, made, tx)));
}

async function write({ members }: PeopleDeps, made: Member, tx: Transaction): Promise<Member> {
  const there = (await members.ofWorkspace(made.workspaceId, tx)).find(({ email }) => email === made.email);
  // Someone else's list may have mirrored the very invitation that was just pushed.
  if (there && made.externalId !== null && there.externalId === made.externalId) return there;
  if (there) throw alreadyMember();
  await members.insert([made], tx);
  tellMember(tx, 'member.invited', made);
  if (made.status === 'active') tellMember(tx, 'member.joined', made);
  return made;
}

async function knownPerson({ users }: PeopleDeps, by: Principal, { subject }: ProvidedMember): Promise<string | null> {
  const asker = subject === null ? null : await users.find(by.id);
  return (asker && (await users.findBySubject(asker.issuer, subject!))?._id) ?? null;
}

const alreadyMember = () => fail('ALREADY_MEMBER', 'The person is a member, or invited.', 'email');
