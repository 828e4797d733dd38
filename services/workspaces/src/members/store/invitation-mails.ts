import type { InvitationMail } from '../domain/invitation.js';
import type { Models } from '../../store/models.js';

export type InvitationMailStore = ReturnType<typeof invitationMailStore>;

export const invitationMailStore = ({ invitationMails: mails }: Models) => ({
  /** Records an invitation email that was sent or permanently refused. Repeating it has no effect. */
  async record({ _id, ...mail }: InvitationMail): Promise<void> {
    await mails.updateOne({ _id }, { $setOnInsert: mail }, { upsert: true });
  },

  /**
   * Counts the invitation emails of a workspace since `after`, `upTo` at most; if `email` is given, only those to that
   * address.
   */
  count({ workspaceId, email, after }: SentMails, upTo: number): Promise<number> {
    const recipient = email === undefined ? {} : { email };
    return mails
      .countDocuments({ workspaceId, ...recipient, at: { $gt: after } })
      .limit(upTo)
      .exec();
  },
});

interface SentMails {
  workspaceId: string;
  email?: string;
  after: Date;
}
