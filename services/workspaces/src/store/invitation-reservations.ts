import type { Transaction } from '@tautan/kit/mongo';
import type { InvitationReservation } from '../domain/invitation.js';
import type { Models } from './models.js';

export type InvitationReservationStore = ReturnType<typeof invitationReservationStore>;

export const invitationReservationStore = ({ invitationReservations: reservations }: Models) => ({
  /** Throws a duplicate key error when this email is being invited already. */
  async insert(reservation: InvitationReservation, { session }: Transaction): Promise<void> {
    await reservations.insertMany([reservation], { session });
  },

  /** Those of the ids that exist. */
  async existing(ids: string[], { session }: Transaction): Promise<InvitationReservation[]> {
    if (ids.length === 0) return [];
    return reservations
      .find({ _id: { $in: ids } })
      .session(session)
      .lean<InvitationReservation[]>();
  },

  async remove(ids: string[], { session }: Transaction): Promise<void> {
    if (ids.length) await reservations.deleteMany({ _id: { $in: ids } }, { session });
  },

  /** Ids of up to `limit` reservations whose lease has ended. */
  async expired(now: Date, limit: number): Promise<string[]> {
    const found = await reservations
      .find({ leaseUntil: { $lte: now } }, { _id: 1 })
      .limit(limit)
      .lean();
    return found.map(({ _id }) => _id);
  },
});
