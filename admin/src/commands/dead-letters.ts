import { Argument, Option } from 'commander';
import type { DeadLetterMessage } from '@tautan/proto';
import {
  command,
  moreEntriesNote,
  pageOptions,
  readPages,
  type CommandGroup,
  type Context,
  type PageOptions,
} from '../command.js';
import { AdminError } from '../errors.js';
import { count, details, printable, table } from '../output.js';

/**
 * The workload that the error message suggests if the connected service does not serve these commands. The services qr,
 * webhooks and workspaces also serve these commands.
 */
const hintWorkload = 'stats';

const readLetters = ({ service }: Context, options: PageOptions) =>
  readPages(options, async (page) => {
    const { deadLetters: entries, hasMore } = await service.call('deadLetters', 'ListDeadLetters', page);
    return { entries, hasMore };
  });

const list = command<{ deadLetters: DeadLetterMessage[]; hasMore: boolean }, PageOptions>({
  name: 'list',
  summary: 'List the messages that this service could not process, oldest first',
  options: pageOptions(),
  rpc: 'ListDeadLetters',
  hintWorkload,
  run: async (context, options) => {
    const { entries: deadLetters, hasMore } = await readLetters(context, options);
    return { deadLetters, hasMore };
  },
  text: ({ deadLetters, hasMore }) => {
    if (deadLetters.length === 0) return 'No dead letters.';
    const rows = deadLetters.map(({ id, at, subject, size, reason }) => [id, at, subject, String(size), reason]);
    return `${table(['ID', 'CREATED', 'SUBJECT', 'BYTES', 'REASON'], rows)}${moreEntriesNote(hasMore, deadLetters.at(-1))}`;
  },
});

/** A dead letter with its payload as text. */
type ShownLetter = Omit<DeadLetterMessage, 'payload'> & { payload: string };

const show = command<ShownLetter>({
  name: 'show',
  summary: 'Show a dead letter with its payload',
  args: [new Argument('<id>', 'id of the dead letter')],
  rpc: 'GetDeadLetter',
  hintWorkload,
  run: async ({ service }, _options, id: string) => {
    const { payload, ...letter } = await service.call('deadLetters', 'GetDeadLetter', { id });
    return { ...letter, payload: payload!.toString('utf8') };
  },
  text: ({ id, at, subject, reason, payload }) =>
    `${details([
      ['id', id],
      ['created', at],
      ['subject', subject],
      ['reason', reason],
    ])}\n\n${printable(payload)}`,
});

interface Replayed {
  replayed: string[];
  failed: { id: string; message: string }[];
}

const replay = command<Replayed, { all?: boolean }>({
  name: 'replay',
  summary: 'Process dead letters again and delete those that succeed; exits with 1 if one fails',
  args: [new Argument('[ids...]', 'ids of the dead letters')],
  options: [new Option('--all', 'replay all dead letters of this service')],
  examples: ['dead-letters replay 01JD3X8Q4V5W6Y7Z8A9B0C1D2E', 'dead-letters replay --all'],
  rpc: 'ReplayDeadLetter',
  hintWorkload,
  run: async (context, { all = false }, given: string[]) => {
    if (all === given.length > 0) throw new AdminError('usage', 'Pass the ids of dead letters, or --all.');
    const ids = all ? (await readLetters(context, { limit: 0, all })).entries.map(({ id }) => id) : given;
    const outcome: Replayed = { replayed: [], failed: [] };
    for (const id of ids) {
      try {
        await context.service.call('deadLetters', 'ReplayDeadLetter', { id });
        outcome.replayed.push(id);
      } catch (error) {
        // If the database or the bus is unavailable, the remaining dead letters would fail as well.
        if (!(error instanceof AdminError) || error.failure === 'unavailable') throw error;
        outcome.failed.push({ id, message: error.message });
      }
    }
    return outcome;
  },
  text: ({ replayed, failed }) =>
    [
      ...failed.map(({ id, message }) => `${id}  ${printable(message)}`),
      `Replayed ${count(replayed.length, 'dead letter')}; ${failed.length} failed.`,
    ].join('\n'),
  failed: ({ failed }) => failed.length > 0,
});

export const deadLetters: CommandGroup = {
  name: 'dead-letters',
  summary: 'List and replay messages that a service could not process (stats, qr, webhooks and workspaces)',
  commands: [list, show, replay],
};
