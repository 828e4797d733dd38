import fc from 'fast-check';
import type { Readings } from './readers.js';
import { drawAndRead, imageInputs, type Outcome } from './styles.js';

/**
 * Renders and reads random images, except those whose style is rejected, until it has read `accepted` images. Returns,
 * for each reader, the images that it misread. The same seed reproduces the same images.
 */
export async function findMisreads(accepted: number, seed: number): Promise<Record<keyof Readings, Outcome[]>> {
  const found: Record<keyof Readings, Outcome[]> = { zxing: [], jsqr: [], zbar: [] };
  let read = 0;
  for (const input of fc.sample(imageInputs, { seed, numRuns: accepted * 20 })) {
    if (read === accepted) return found;
    const outcome = await drawAndRead(input);
    if (!outcome) continue;
    read += 1;
    for (const [reader, misread] of Object.entries(found)) {
      if (outcome.readings[reader as keyof Readings] !== outcome.text) misread.push(outcome);
    }
  }
  throw new Error(`The styles of only ${read} images were accepted.`);
}
