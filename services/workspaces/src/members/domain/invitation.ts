import { newUlid } from '@tautan/kit';

/** A reservation toward the member limit while an invitation is sent through the identity provider. */
export interface InvitationReservation {
  /** `<workspace id>/<email>` */
  _id: string;
  workspaceId: string;
  /** The operation; null if it cannot be repeated. */
  operationId: string | null;
  /** ULID that distinguishes reservations for the same member. */
  attempt: string;
}

/**
 * Age in ms at which the process that sends an invitation is considered dead. Longer than reading an access token, a call to
 * the provider and a transaction take together.
 */
export const ABANDONED_AFTER_MS = 30_000;

/** Returns the id of the reservation for a member. */
export const reservationId = ({ workspaceId, email }: { workspaceId: string; email: string }): string =>
  `${workspaceId}/${email}`;

/** Returns a new reservation for an email address. */
export const newReservation = ({
  workspaceId,
  email,
  operationId,
}: {
  workspaceId: string;
  email: string;
  operationId: string | undefined;
}): InvitationReservation => ({
  _id: reservationId({ workspaceId, email }),
  workspaceId,
  operationId: operationId ?? null,
  attempt: newUlid(),
});
