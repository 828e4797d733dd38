import { Schema, type Model } from 'mongoose';
import type { ConsumeOptions } from '../bus/index.js';
import { fail, isFault } from '../errors.js';
import { newUlid } from '../ids.js';
import { databaseGauge, type Registry } from '../metrics.js';
import { bytesOf } from './collections.js';
import { isTransient } from './hold.js';

/** A message that could not be handled, kept until an operator replays it. */
export interface DeadLetter {
  _id: string;
  subject: string;
  payload: Buffer;
  reason: string;
  at: Date;
}

const MAX_REASON_LENGTH = 2_000;

/** A schema for a service's own collection of dead letters. */
export const deadLetterSchema = (): Schema<DeadLetter> =>
  new Schema<DeadLetter>(
    { _id: String, subject: String, payload: Buffer, reason: String, at: Date },
    { versionKey: false, minimize: false },
  );

type Handle = (payload: Uint8Array) => Promise<void>;

/** The messages that the consumers of a service could not handle. */
export class DeadLetters {
  readonly #handlers = new Map<string, Handle>();

  constructor(
    private readonly model: Model<DeadLetter>,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Returns how a consumer handles messages, so that those that fail are kept here, and are handled the same way by `replay`. */
  consuming(subject: string, handle: Handle): Pick<ConsumeOptions, 'handle' | 'onDead'> {
    this.onReplay(subject, handle);
    return { handle: (payload) => handle(payload), onDead: (payload, error) => this.keep(subject, payload, error) };
  }

  /** Sets how kept messages of a subject are handled again. It must recognise messages that were applied. */
  onReplay(subject: string, handle: Handle): void {
    this.#handlers.set(subject, handle);
  }

  /** Keeps a message with the error that ended it. */
  async keep(subject: string, payload: Uint8Array, error: unknown): Promise<void> {
    const reason = messageOf(error).slice(0, MAX_REASON_LENGTH);
    await this.model.insertMany([{ _id: newUlid(), subject, payload: Buffer.from(payload), reason, at: this.now() }]);
  }

  /** Returns the messages behind an id, oldest first. */
  async page(after: string, limit: number): Promise<DeadLetter[]> {
    const found = await this.model
      .find(after === '' ? {} : { _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<DeadLetter[]>();
    return found.map((letter) => ({ ...letter, payload: bytesOf(letter.payload) }));
  }

  /** Returns a kept message. Throws NOT_FOUND. */
  async find(id: string): Promise<DeadLetter> {
    const letter = await this.model.findById(id).lean<DeadLetter>();
    if (!letter) throw fail('NOT_FOUND', `No dead letter with the id ${id}.`);
    return { ...letter, payload: bytesOf(letter.payload) };
  }

  /**
   * Handles a kept message again, and deletes it afterwards. A crash in between makes no difference: the next replay finds that
   * the message was applied. Throws NOT_FOUND, and INTERNAL_ERROR with the reason when the message fails again.
   */
  async replay(id: string): Promise<DeadLetter> {
    const letter = await this.find(id);
    const handle = this.#handlers.get(letter.subject);
    if (!handle) throw fail('NOT_FOUND', `This process does not consume ${letter.subject}. Replay it where that is consumed.`); // prettier-ignore
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

/** Shows the number of dead letters that a service keeps. */
export function meterDeadLetters(registry: Registry, model: Model<DeadLetter>, ready: () => boolean): void {
  const help = 'Messages that could not be handled, kept until they are replayed, deleted or expire';
  databaseGauge(registry, { name: 'tautan_dead_letters', help, ready }, () => model.estimatedDocumentCount());
}
