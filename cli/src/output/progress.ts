import { count } from './text.js';

const CELLS = 20;

/** Returns a progress bar, such as "████████████░░░░░░░░  60%  600 of 1,000 rows". */
export function progressBar(done: number, total: number, noun: string): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * CELLS);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${'█'.repeat(filled)}${'░'.repeat(CELLS - filled)} ${percent}  ${count(done)} of ${count(total)} ${noun}`;
}
