import type { Context } from '../context.js';
import type { Style } from '../output/style.js';
import { printable } from '../output/text.js';
import type { Outcome } from './forward.js';

/** Width of the longest event type. */
const TYPE_COLUMNS = 21;

/** What is shown of a delivery. */
export interface Shown {
  type: string;
  /** Id of the event: the same at every attempt. */
  id: string;
  /** How it was answered; absent where nobody here did. Without a handler it took no time. */
  outcome?: (Pick<Outcome, 'status' | 'error'> & { ms: number | null }) | undefined;
  /** What is known of it otherwise, such as how the service fared with it. */
  state?: string;
  /** JSON text. */
  body: string;
}

/** Prints one line for a delivery: columns for people, or with --json one object, the event included. */
export function showDelivery({ terminal, json }: Context, delivery: Shown, now = new Date()): void {
  if (json) terminal.print(JSON.stringify(asObject(delivery, now)));
  else terminal.print(line(delivery, terminal.style, now));
}

function line({ type, id, outcome, state }: Shown, style: Style, now: Date): string {
  const time = style.dim(now.toTimeString().slice(0, 8));
  const columns = [time, printable(type).padEnd(TYPE_COLUMNS), style.dim(printable(id))];
  if (state !== undefined) columns.push(printable(state));
  if (outcome) columns.push(result(outcome, style));
  if (outcome && outcome.ms !== null) columns.push(style.dim(`${outcome.ms} ms`));
  return columns.join('  ');
}

function result({ status, error }: Pick<Outcome, 'status' | 'error'>, style: Style): string {
  if (status === null) return style.red(printable(error ?? 'failed'));
  return status >= 200 && status < 300 ? style.green(String(status)) : style.red(String(status));
}

const asObject = ({ type, id, outcome, state, body }: Shown, now: Date) => ({
  time: now.toISOString(),
  type,
  id,
  status: outcome?.status ?? null,
  error: outcome?.error ?? null,
  ms: outcome?.ms ?? null,
  ...(state !== undefined && { delivery: state }),
  event: JSON.parse(body) as unknown,
});
