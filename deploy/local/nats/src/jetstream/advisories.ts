import { randomUUID } from 'node:crypto';
import type { Router } from '../routing/router.js';
import type { AckState } from './ack-state.js';

/** The consumer that an advisory is about, and its stream. */
interface AdvisedConsumer {
  name: string;
  stream: { config: { name: string } };
}

/** Publishes advisories about messages (`$JS.EVENT.ADVISORY.CONSUMER.…`). */
export class Advisories {
  constructor(private readonly router: Router) {}

  /** Reports a message that reached its maximum number of deliveries without an acknowledgement. */
  maxDeliveries(consumer: AdvisedConsumer, seq: number, deliveries: number): void {
    this.#send('MAX_DELIVERIES', 'max_deliver', consumer, { stream_seq: seq, deliveries });
  }

  /** Reports a message that a client rejected (nak). */
  refused(consumer: AdvisedConsumer, seq: number, state: AckState): void {
    this.#send('MSG_NAKED', 'nak', consumer, details(seq, state));
  }

  /** Reports a message that a client terminated. */
  terminated(consumer: AdvisedConsumer, seq: number, state: AckState, reason: string | undefined): void {
    this.#send('MSG_TERMINATED', 'terminated', consumer, { ...details(seq, state), ...(reason ? { reason } : {}) });
  }

  #send(event: string, type: string, { name, stream }: AdvisedConsumer, body: object): void {
    const subject = `$JS.EVENT.ADVISORY.CONSUMER.${event}.${stream.config.name}.${name}`;
    const advisory = {
      type: `io.nats.jetstream.advisory.v1.${type}`,
      id: randomUUID(),
      timestamp: new Date().toISOString(),
      stream: stream.config.name,
      consumer: name,
      ...body,
    };
    this.router.publish({ subject, payload: Buffer.from(JSON.stringify(advisory)) });
  }
}

const details = (seq: number, state: AckState): object => ({
  consumer_seq: state.pending.get(seq)?.delivery ?? 0,
  stream_seq: seq,
  deliveries: state.deliveries(seq),
});
