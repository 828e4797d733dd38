import { newUlid } from '@tautan/kit';

/** A place that is reserved within the member limit while an invitation is sent through the identity provider. */
export interface InvitationReservation {
  /** `<workspace id>/<email>` */
  _id: string;
  workspaceId: string;
  /** Id of the operation that sends the invitation; null if the caller gave no id and cannot repeat the operation. */
  operationId: string | null;
  /** ULID that distinguishes successive reservations for the same email. */
  attempt: string;
}

/**
 * Age of a reservation, in milliseconds, at which the process that sends the invitation is considered dead. Longer than
 * sending an invitation can take: reading an access token, a call to the provider, and a transaction.
 */
export const ABANDONED_AFTER_MS = 30_000;

/** Returns the id of the reservation for an email address in a workspace. */
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

/**
 * An invitation email that was sent, or whose recipient the mail server refused. Stored for a day to limit the number
 * of emails.
 */
export interface InvitationMail {
  /** Id of the event that caused the email. */
  _id: string;
  workspaceId: string;
  email: string;
  at: Date;
}
