import type { Context } from '../context.js';
import type { Style } from '../output/style.js';
import { printable } from '../output/text.js';
import type { Outcome } from './forward.js';

/** Column width of event types. */
const TYPE_COLUMNS = 21;

/** Printed properties of a delivery. */
export interface PrintedDelivery {
  type: string;
  /** Event id, which is the same for every attempt. */
  id: string;
  /**
   * The response to this delivery. With `--forward-to`, the handler at that URL responds. Without `--forward-to`, this
   * command itself responds to a delivery received live (`ms` is null), and a polled delivery has no response.
   */
  outcome?: (Pick<Outcome, 'status' | 'error'> & { ms: number | null }) | undefined;
  /** Status of the delivery to the workspace's endpoint; absent for a delivery received live. */
  state?: string;
  /** JSON text. */
  body: string;
}

/** Prints a delivery as one line of text, or with --json as one object that includes the event. */
export function showDelivery({ terminal, json }: Context, delivery: PrintedDelivery, now = new Date()): void {
  if (json) terminal.print(JSON.stringify(asObject(delivery, now)));
  else terminal.print(line(delivery, terminal.style, now));
}

function line({ type, id, outcome, state }: PrintedDelivery, style: Style, now: Date): string {
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

const asObject = ({ type, id, outcome, state, body }: PrintedDelivery, now: Date) => ({
  time: now.toISOString(),
  type,
  id,
  status: outcome?.status ?? null,
  error: outcome?.error ?? null,
  ms: outcome?.ms ?? null,
  ...(state !== undefined && { delivery: state }),
  event: JSON.parse(body) as unknown,
});
