import { Option } from 'commander';
import { openBrowser } from '../../browser.js';
import type { Context } from '../../context.js';
import { printable } from '../../output/text.js';
import { fully } from '../../output/times.js';

export const openOption = (): Option => new Option('--open', 'open the address in the browser');

/** Prints the address of a page at the payment provider and when it expires. Opens it in the browser if `open` is set. */
export async function showPage(
  { terminal: { print, printJson, note, noteStyle }, environment, json }: Context,
  { record, url, expiresAt, open }: { record: unknown; url: string; expiresAt: string; open: boolean | undefined },
): Promise<void> {
  if (json) printJson(record);
  else {
    // The address alone is the result, so that it can be piped.
    print(printable(url));
    note(noteStyle.dim(`  valid until ${fully(expiresAt)}`));
  }
  if (open && !(await openBrowser(url, environment)))
    note(`${noteStyle.yellow('!')} No browser could be opened. Open the address yourself.`);
}
