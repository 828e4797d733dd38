import type { MailSettings } from '../config.js';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Identifies the mail: every attempt to send it has the same Message-ID (RFC 5322, section 3.6.4). */
  id: string;
}

export interface Mailer {
  /**
   * Resolves when the SMTP server has accepted the mail. Rejects if the server refuses the mail (see
   * `isRecipientRefused`), does not accept the connection within 10 s, does not send its greeting within another 10 s,
   * or afterwards sends nothing for 20 s.
   */
  send(mail: Mail): Promise<void>;
  stop(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;

/** Sends mail through the SMTP server of the settings, over at most two connections at a time. */
export function createMailer({ url, from, domain }: MailSettings): Mailer {
  // Loaded only if mail is configured.
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
  return {
    async send({ id, to, subject, text }) {
      // Prevents automatic responses, such as vacation notices (RFC 3834).
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await (
        await transport
      ).sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers,
      });
    },
    async stop() {
      (await transport).close();
    },
  };
}

/**
 * Returns whether the SMTP server refused the recipient permanently (RFC 5321, section 4.2.1). Returns false for a
 * refused login or sender: that is a configuration error, and retries succeed once it is corrected.
 */
export function isRecipientRefused(error: unknown): boolean {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && command === 'RCPT TO';
}
