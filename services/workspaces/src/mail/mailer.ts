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

/** Sends mail through the configured SMTP server, over at most two connections at a time. */
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
 * Enhanced status codes for a refused sender (X.1.7, X.1.8) and for a refusal by policy (X.7), such as a denied relay
 * (RFC 3463).
 */
const CONFIGURATION_ERROR = /^5\d\d[ -]5\.(1\.[78]|7\.\d+)\b/;
/** Status code of a server that requires a login (RFC 4954, section 6). */
const LOGIN_REQUIRED = 530;

/**
 * Returns whether the SMTP server refused the recipient permanently (RFC 5321, section 4.2.1). Returns false for a
 * refused login, sender or relay: that is a configuration error, and retries succeed once it is corrected. Also returns
 * false if the server refused the content, because the cause may be the sender.
 */
export function isRecipientRefused(error: unknown): boolean {
  const {
    responseCode = 0,
    command,
    response = '',
  } = error as { responseCode?: number; command?: string; response?: string };
  if (responseCode === LOGIN_REQUIRED || CONFIGURATION_ERROR.test(response)) return false;
  return responseCode >= 500 && command === 'RCPT TO';
}
