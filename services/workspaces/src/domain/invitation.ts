import { newUlid } from '@tautan/kit';

/** A place among the members of a workspace that is kept while an invitation is sent through the identity provider. */
export interface InvitationReservation {
  /** `<workspace id>/<email>` */
  _id: string;
  workspaceId: string;
  /** The operation that it belongs to; null for one that is not repeated. */
  operationId: string | null;
  /** ULID, to tell reservations for the same member apart. */
  attempt: string;
}

/**
 * Age in ms at which the process that sent the invitation is considered dead. Longer than reading an access token, a call of
 * the provider and a transaction take together.
 */
export const ABANDONED_AFTER_MS = 30_000;

/** Returns the id of the reservation for a member. */
export const reservationId = ({ workspaceId, email }: { workspaceId: string; email: string }): string =>
  `${workspaceId}/${email}`;

/** Returns a reservation for an email that is about to be invited. */
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
