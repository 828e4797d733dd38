import { Option } from 'commander';
import type { Context } from '../context.js';
import { fail } from '../errors.js';
import { confirmed } from '../prompt.js';

export const yes = (): Option => new Option('-y, --yes', 'do not ask for confirmation');

/**
 * Asks for confirmation, unless the user is already `sure` (`--yes`). Throws if the user declines, or if standard input
 * or standard error is not a terminal.
 */
export async function confirm({ terminal }: Context, question: string, sure: boolean | undefined): Promise<void> {
  if (sure) return;
  if (!terminal.interactive)
    throw fail('usage', 'Confirmation is required, but the command is not running in a terminal.', {
      hint: 'Add --yes to confirm.',
    });
  if (!(await confirmed(question))) throw fail('refused', 'Nothing was changed.');
}
