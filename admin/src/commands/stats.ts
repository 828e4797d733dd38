import { Argument } from 'commander';
import { command, type CommandGroup, type Context } from '../command.js';
import { AdminError } from '../errors.js';
import { table } from '../output.js';

const DAY_MS = 86_400_000;

const rebuildDay = ({ service }: Context, day: string) => service.call('stats', 'RebuildDay', { day });
type Rebuilt = Awaited<ReturnType<typeof rebuildDay>>;

/** Returns the days of a range, both ends included. */
function daysOf(first: string, last: string): string[] {
  const [from, to] = [startOf(first), startOf(last)];
  if (from > to) throw new AdminError('usage', `${first} is after ${last}. Pass the first day first.`);
  return Array.from({ length: (to - from) / DAY_MS + 1 }, (_, i) => dayAt(from + i * DAY_MS));
}

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function startOf(day: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : NaN;
  if (!Number.isNaN(ms) && dayAt(ms) === day) return ms;
  throw new AdminError('usage', `${day} is not a date. Use YYYY-MM-DD (UTC).`);
}

const rebuild = command<Rebuilt[]>({
  name: 'rebuild',
  summary: 'Rebuild the statistics of one or more days (UTC) from the clicks in the stream',
  args: [new Argument('<first>', 'first day, YYYY-MM-DD'), new Argument('[last]', 'last day (default: the first)')],
  examples: ['stats rebuild 2030-01-30 2030-01-31'],
  rpc: 'RebuildDay',
  hintWorkload: 'stats',
  run: async (context, _options, first: string, last: string | undefined) => {
    const rebuilt: Rebuilt[] = [];
    for (const day of daysOf(first, last ?? first)) {
      context.note(`Rebuilding ${day} …`);
      rebuilt.push(await rebuildDay(context, day));
    }
    return rebuilt;
  },
  text: (days) =>
    table(
      ['DAY', 'SUBJECTS WRITTEN', 'SUBJECTS REMOVED'],
      days.map(({ day, written, removed }) => [day, String(written), String(removed)]),
    ),
});

export const stats: CommandGroup = { name: 'stats', summary: 'Rebuild statistics', commands: [rebuild] };
