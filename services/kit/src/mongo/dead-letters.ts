import { Schema, type Model } from 'mongoose';
import { newUlid } from '../ids.js';
import { databaseGauge, type Registry } from '../metrics.js';

/** A message that could not be handled, kept for a person to look at. */
export interface DeadLetter {
  _id: string;
  subject: string;
  payload: Buffer;
  reason: string;
  at: Date;
}

const LONGEST_REASON = 2_000;

/** A schema for a service's own collection of dead letters. */
export const deadLetterSchema = (): Schema<DeadLetter> =>
  new Schema<DeadLetter>(
    { _id: String, subject: String, payload: Buffer, reason: String, at: Date },
    { versionKey: false, minimize: false },
  );

/** Keeps a message with the error that ended it. */
export async function keepDeadLetter(
  model: Model<DeadLetter>,
  { subject, payload, error, at }: { subject: string; payload: Uint8Array; error: unknown; at: Date },
): Promise<void> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON);
  await model.insertMany([{ _id: newUlid(), subject, payload: Buffer.from(payload), reason, at }]);
}

/** Shows the number of dead letters that a service keeps. */
export function meterDeadLetters(registry: Registry, model: Model<DeadLetter>, ready: () => boolean): void {
  const help = 'Messages that could not be handled, kept until they are replayed, deleted or expire';
  databaseGauge(registry, { name: 'tautan_dead_letters', help, ready }, () => model.estimatedDocumentCount());
}
