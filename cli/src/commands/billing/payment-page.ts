import { Option } from 'commander';
import { openBrowser } from '../../browser.js';
import type { Context } from '../../context.js';
import { printable } from '../../output/text.js';
import { formatDateTime } from '../../output/times.js';

export const openOption = (): Option => new Option('--open', 'open the URL in the browser');

/**
 * Prints the URL of a page at the payment provider and the time when the URL expires; with `--json`, prints `record`
 * instead. Opens the URL in the browser if `open` is set.
 */
export async function showPage(
  { terminal: { print, printJson, note, noteStyle }, environment, json }: Context,
  { record, url, expiresAt, open }: { record: unknown; url: string; expiresAt: string; open: boolean | undefined },
): Promise<void> {
  if (json) printJson(record);
  else {
    // Print the URL alone to standard output, so that it can be piped.
    print(printable(url));
    note(noteStyle.dim(`  valid until ${formatDateTime(expiresAt)}`));
  }
  if (open && !(await openBrowser(url, environment)))
    note(`${noteStyle.yellow('!')} Could not open a browser. Open the URL yourself.`);
}
