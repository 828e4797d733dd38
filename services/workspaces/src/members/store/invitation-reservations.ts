import type { Transaction } from '@tautan/kit/mongo';
import type { InvitationReservation } from '../domain/invitation.js';
import type { Models } from '../../store/models.js';

export type InvitationReservationStore = ReturnType<typeof invitationReservationStore>;

export const invitationReservationStore = ({ invitationReservations: reservations }: Models) => ({
  /** Throws a duplicate key error if this email is already being invited. */
  async insert(reservation: InvitationReservation, { session }: Transaction): Promise<void> {
    await reservations.insertMany([reservation], { session });
  },

  /** Returns the reservations that exist for these ids. */
  async existing(ids: string[], { session }: Transaction): Promise<InvitationReservation[]> {
    if (ids.length === 0) return [];
    return reservations
      .find({ _id: { $in: ids } })
      .session(session)
      .lean<InvitationReservation[]>();
  },

  /**
   * Takes over the reservation of an earlier attempt of the same operation. Only the new attempt can then release it.
   * Returns false if there is no such reservation.
   */
  async takeOver({ _id, operationId, attempt }: InvitationReservation, { session }: Transaction): Promise<boolean> {
    if (operationId === null) return false;
    const { matchedCount } = await reservations.updateOne({ _id, operationId }, { $set: { attempt } }, { session });
    return matchedCount === 1;
  },

  async remove(ids: string[], { session }: Transaction): Promise<void> {
    if (ids.length) await reservations.deleteMany({ _id: { $in: ids } }, { session });
  },

  /** Returns the attempt of every reservation, by reservation id. */
  async attempts(): Promise<Map<string, string>> {
    // The collection holds one small document per invitation that is being sent.
    const all = await reservations.find({ _id: { $gt: '' } }, { attempt: 1 }).lean();
    return new Map(all.map(({ _id, attempt }) => [_id, attempt]));
  },
});
