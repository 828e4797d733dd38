import { Webhook } from 'standardwebhooks';

/** Signs messages with every valid secret (Standard Webhooks). */
export class Signer {
  readonly #webhooks: Webhook[];

  /** `secrets` have the form whsec_…; the current one comes first. */
  constructor(secrets: readonly string[]) {
    this.#webhooks = secrets.map((secret) => new Webhook(secret));
  }

  /** Returns the headers of a message that is sent at `at`. */
  headers(id: string, at: Date, body: string): Record<string, string> {
    return {
      'content-type': 'application/json',
      'user-agent': 'Tautan-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
      'webhook-signature': this.#webhooks.map((webhook) => webhook.sign(id, at, body)).join(' '),
    };
  }
}
