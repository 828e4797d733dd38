import type { Transaction } from '@tautan/kit/mongo';
import type { Changes, EventType } from '@tautan/proto';
import { memberData, type Member } from '../domain/member.js';
import type { Change } from '../../workspaces/domain/mirror.js';

type MemberEvent = Extract<EventType, `member.${string}`>;

/** Emits an event about a member. */
export function emitMember(tx: Transaction, type: MemberEvent, member: Member, changes: Changes = {}): void {
  tx.emit({
    type,
    workspaceId: member.workspaceId,
    target: { type: 'member', id: member._id, label: member.email },
    data: memberData(member),
    changes,
  });
}

/** Emits `member.joined` or `member.role_changed` for a changed member; nothing if only other details changed. */
export function emitMemberChange(tx: Transaction, { before, after }: Change<Member>): void {
  const role = before.role !== after.role && { role: { before: before.role, after: after.role } };
  const joined = before.status !== 'active' && after.status === 'active';
  const status = joined && { status: { before: before.status, after: after.status } };
  if (joined) emitMember(tx, 'member.joined', after, { ...status, ...role });
  else if (role) emitMember(tx, 'member.role_changed', after, role);
}
