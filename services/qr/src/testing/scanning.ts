import fc from 'fast-check';
import { drawAndRead, isPlain, pictures, type Outcome } from './styles.js';

/**
 * Draws pictures until so many were accepted, and answers those that a reader did not read: zxing each one, jsQR each whose
 * colours it can tell apart. A seed draws the same pictures again.
 */
export async function misread(
  accepted: number,
  seed: number,
): Promise<{ zxing: Outcome[]; jsqr: Outcome[]; plain: number }> {
  const wishes = fc.sample(pictures, { seed, numRuns: accepted * 12 });
  const found = { zxing: [] as Outcome[], jsqr: [] as Outcome[], plain: 0 };
  let read = 0;
  for (const wish of wishes) {
    if (read === accepted) return found;
    const outcome = await drawAndRead(wish);
    if (!outcome) continue;
    read += 1;
    const { text, style, readings } = outcome;
    if (readings.zxing !== text) found.zxing.push(outcome);
    if (!isPlain(style)) continue;
    found.plain += 1;
    if (readings.jsqr !== text) found.jsqr.push(outcome);
  }
  throw new Error(`Of ${wishes.length} styles only ${read} were accepted.`);
}
