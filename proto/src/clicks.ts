import { z } from 'zod';

/** Number of subjects of the click stream. Each service that reads the stream has one durable consumer per subject. */
export const CLICK_PARTITIONS = 16;

/** Returns the partition of a link or standalone QR code: FNV-1a (32-bit) of its id, modulo CLICK_PARTITIONS. */
export function clickPartition(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  return hash % CLICK_PARTITIONS;
}

/**
 * A batch of clicks on the stream CLICKS with the subject `clicks.<partition>`. Clicks refer to strings by their index
 * in `texts`. A batch contains no IP addresses.
 */
export const clickBatch = z.object({
  v: z.literal(1),
  /** ULID. Also the JetStream message id, and the id under which an applied batch is recorded. */
  id: z.string(),
  /** Time to which the times of the clicks are relative, Unix milliseconds. */
  base: z.number().int(),
  texts: z.array(z.string()),
  clicks: z.array(
    z.tuple([
      /** Milliseconds after `base`. */
      z.number().int().nonnegative(),
      /** Indexes of the link id (-1 for a standalone QR code), QR code id (-1 if none was scanned) and workspace id. */
      z.number().int(),
      z.number().int(),
      z.number().int(),
      /** `h`: human, `b`: bot. */
      z.enum(['h', 'b']),
      /**
       * Indexes of the user agent, referrer host ('' if none), ISO country and city ('' if unknown) and visitor id.
       */
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      z.number().int(),
      /** How the visitor arrived: through the short link (`l`) or a QR code (`q`). */
      z.enum(['l', 'q']),
    ]),
  ),
});
export type ClickBatch = z.infer<typeof clickBatch>;

/** Parses a message of the stream CLICKS. Throws if it is not a valid batch, or refers to a missing text. */
export function parseClickBatch(value: unknown): ClickBatch {
  const batch = clickBatch.parse(value);
  const known = (index: number) => index >= 0 && index < batch.texts.length;
  for (const [, link, qr, workspace, , ...others] of batch.clicks) {
    const texts = others.slice(0, 5) as number[];
    const areIdsKnown = link === -1 ? known(qr) : known(link) && (qr === -1 || known(qr));
    if (areIdsKnown && known(workspace) && texts.every(known)) continue;
    throw new Error(`The batch ${batch.id} refers to a missing text.`);
  }
  return batch;
}
