import type { Schema, Model } from 'mongoose';
import type { ConsumeOptions } from '../bus/index.js';
import { fail, isFault } from '../errors.js';
import { newUlid } from '../values/ids.js';
import { databaseGauge, type Registry } from '../telemetry/metrics.js';
import { bytesOf, strictSchema } from './collections.js';
import { isTransient } from './retry-while-unavailable.js';

/** A message that could not be handled, stored until an operator replays it. */
export interface DeadLetter {
  _id: string;
  subject: string;
  payload: Buffer;
  reason: string;
  at: Date;
}

const MAX_REASON_LENGTH = 2_000;

/** Returns the schema of a service's collection of dead letters. */
export const deadLetterSchema = (): Schema<DeadLetter> =>
  strictSchema<DeadLetter>({ _id: String, subject: String, payload: Buffer, reason: String, at: Date });

type Handle = (payload: Uint8Array) => Promise<void>;

/** The dead letters of a service's consumers. */
export class DeadLetters {
  readonly #handlers = new Map<string, Handle>();

  constructor(
    private readonly model: Model<DeadLetter>,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * Returns the handlers of a consumer. Failed messages become dead letters, which `replay` passes to `handle` again.
   */
  consuming(subject: string, handle: Handle): Pick<ConsumeOptions, 'handle' | 'onDeadLetter'> {
    this.onReplay(subject, handle);
    return {
      handle: (payload) => handle(payload),
      onDeadLetter: (payload, error) => this.keep(subject, payload, error),
    };
  }

  /** Sets the replay handler of a subject. The handler must recognize messages that were already applied. */
  onReplay(subject: string, handle: Handle): void {
    this.#handlers.set(subject, handle);
  }

  /** Stores a message with its last error. */
  async keep(subject: string, payload: Uint8Array, error: unknown): Promise<void> {
    const reason = messageOf(error).slice(0, MAX_REASON_LENGTH);
    await this.model.insertMany([{ _id: newUlid(), subject, payload: Buffer.from(payload), reason, at: this.now() }]);
  }

  /** Returns the messages after an id, oldest first. */
  async page(after: string, limit: number): Promise<DeadLetter[]> {
    const found = await this.model
      .find(after === '' ? {} : { _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<DeadLetter[]>();
    return found.map((letter) => ({ ...letter, payload: bytesOf(letter.payload) }));
  }

  /** Returns a dead letter. Throws NOT_FOUND. */
  async find(id: string): Promise<DeadLetter> {
    const letter = await this.model.findById(id).lean<DeadLetter>();
    if (!letter) throw fail('NOT_FOUND', `No dead letter with the id ${id}.`);
    return { ...letter, payload: bytesOf(letter.payload) };
  }

  /**
   * Handles a dead letter again, and then deletes it. If the process crashes in between, the handler recognizes in the
   * next replay that the message was already applied. Throws NOT_FOUND if there is no such dead letter, or if this
   * process has no handler for its subject. If the handler fails again, throws its error if that is a fault or
   * transient, and otherwise INTERNAL_ERROR with the reason.
   */
  async replay(id: string): Promise<DeadLetter> {
    const letter = await this.find(id);
    const handle = this.#handlers.get(letter.subject);
    if (!handle)
      throw fail(
        'NOT_FOUND',
        `This process does not consume ${letter.subject}. Replay the message in a process that does.`,
      );
    try {
      await handle(letter.payload);
    } catch (error) {
      if (isFault(error) || isTransient(error)) throw error;
      throw fail('INTERNAL_ERROR', `The message failed again: ${messageOf(error)}`);
    }
    await this.model.deleteOne({ _id: id });
    return letter;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Exports the number of a service's dead letters. */
export function meterDeadLetters(registry: Registry, model: Model<DeadLetter>, ready: () => boolean): void {
  const help = 'Messages that could not be handled, kept until they are replayed or deleted';
  databaseGauge(registry, { name: 'tautan_dead_letters', help, ready }, () => model.estimatedDocumentCount());
}
