import { z } from 'zod';

/** Number of subjects that clicks are spread over; one durable consumer each. */
export const CLICK_PARTITIONS = 16;

/** The partition of a link, or of a QR code that stands alone: FNV-1a (32 bit) of its id, modulo the number of partitions. */
export function clickPartition(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  return hash % CLICK_PARTITIONS;
}

/**
 * A batch of clicks as it stands on the stream CLICKS, subject `clicks.<partition>`. Strings that repeat are named once
 * in `texts`; a click refers to them by index. No IP address is in it.
 */
export const clickBatch = z.object({
  v: z.literal(1),
  /** ULID; also the JetStream message id and the marker that it was applied. */
  id: z.string(),
  /** Unix milliseconds that the clicks' times count from. */
  base: z.number().int(),
  texts: z.array(z.string()),
  clicks: z.array(
    z.tuple([
      /** Milliseconds after `base`. */
      z.number().int().nonnegative(),
      /** Link id (or -1: of a QR code that stands alone), QR code id (or -1) and workspace id, in `texts`. */
      z.number().int(),
      z.number().int(),
      z.number().int(),
      /** h human, b bot. */
      z.enum(['h', 'b']),
      /** User agent, referrer host ('' for none), ISO country ('' unknown), city ('' unknown), visitor hash; in `texts`. */
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      /** l link, q QR code. */
      z.enum(['l', 'q']),
    ]),
  ),
});
export type ClickBatch = z.infer<typeof clickBatch>;

/** Checks a message of the stream CLICKS. Throws when it is no batch, or refers to a text that it does not have. */
export function parseClickBatch(value: unknown): ClickBatch {
  const batch = clickBatch.parse(value);
  const known = (index: number) => index >= 0 && index < batch.texts.length;
  for (const [, link, qr, workspace, , ...others] of batch.clicks) {
    const texts = others.slice(0, 5) as number[];
    const subjects = link === -1 ? known(qr) : known(link) && (qr === -1 || known(qr));
    if (subjects && known(workspace) && texts.every(known)) continue;
    throw new Error(`batch ${batch.id} refers to a text that it does not have`);
  }
  return batch;
}
