import type { Delivery, DeliverySummary, Endpoint, EventType } from '../api/records.js';
import { details, printableOrNull } from './details.js';
import type { Style } from './style.js';
import { table } from './table.js';
import { count, printable, withoutControls } from './text.js';
import { formatRelativeTime, formatDateTime } from './times.js';

const colors = { succeeded: 'green', failed: 'red', pending: 'yellow' } as const;
const statusPaint = (style: Style, status: DeliverySummary['status']) =>
  status in colors ? style[colors[status]] : (text: string) => text;

/** Returns a table of endpoints. */
export function endpointTable(endpoints: Endpoint[], style: Style, width?: number): string {
  const state = ({ active, disabledReason }: Endpoint) => (active ? 'active' : disabledReason ? 'disabled' : 'paused');
  const problem = {
    title: 'PROBLEM',
    value: ({ disabledReason }: Endpoint) => disabledReason ?? '',
    minWidth: 10,
    omitPriority: 2,
  };
  return table<Endpoint>(
    endpoints,
    [
      { title: 'URL', value: ({ url }) => url, paint: style.cyan, minWidth: 20 },
      { title: 'STATUS', value: state, paint: (cell, { active }) => (active ? style.green(cell) : style.yellow(cell)) },
      {
        title: 'EVENTS',
        value: ({ events }) => (events[0] === '*' ? 'all' : events.join(', ')),
        minWidth: 8,
        omitPriority: 1,
      },
      ...(endpoints.some(({ disabledReason }) => disabledReason) ? [problem] : []),
      { title: 'ID', value: ({ id }) => id, paint: style.dim },
    ],
    style,
    width,
  );
}

/** Returns a table of deliveries. */
export function deliveryTable(deliveries: DeliverySummary[], style: Style, width?: number): string {
  return table<DeliverySummary>(
    deliveries,
    [
      { title: 'EVENT', value: ({ type }) => type },
      { title: 'STATUS', value: ({ status }) => status, paint: (cell, { status }) => statusPaint(style, status)(cell) },
      { title: 'ATTEMPTS', value: ({ attempts }) => count(attempts), align: 'right', omitPriority: 1 },
      {
        title: 'NEXT',
        value: ({ nextRetryAt }) => (nextRetryAt ? formatRelativeTime(nextRetryAt) : ''),
        omitPriority: 3,
      },
      { title: 'CREATED', value: ({ createdAt }) => formatRelativeTime(createdAt), paint: style.dim, omitPriority: 2 },
      { title: 'ID', value: ({ id }) => id, paint: style.dim },
    ],
    style,
    width,
  );
}

/** Returns the main properties of a delivery, followed by its attempts and its body. */
export function deliveryDetails(delivery: Delivery, style: Style, width?: number): string {
  const { id, type, status, eventId, subscriptionId, createdAt, nextRetryAt, attemptLog, body } = delivery;
  const facts = details(
    [
      ['Event', printable(type)],
      ['Status', statusPaint(style, status)(status)],
      ['Endpoint', subscriptionId],
      ['Event id', eventId],
      ['Created', formatDateTime(createdAt)],
      ['Next attempt', nextRetryAt && formatDateTime(nextRetryAt)],
      ['Id', id],
    ],
    style,
  );
  const attempts = table<Delivery['attemptLog'][number]>(
    attemptLog,
    [
      { title: '#', value: ({ n }) => count(n), align: 'right' },
      { title: 'RESULT', value: ({ statusCode, error }) => error ?? String(statusCode ?? ''), minWidth: 12 },
      {
        title: 'RESPONSE',
        value: ({ responseSnippet }) => printableOrNull(responseSnippet) ?? '',
        minWidth: 12,
        omitPriority: 1,
      },
      { title: 'TOOK', value: ({ durationMs }) => `${count(durationMs)} ms`, align: 'right' },
      { title: 'AT', value: ({ at }) => formatRelativeTime(at), paint: style.dim, omitPriority: 2 },
    ],
    style,
    width,
  );
  return [facts, ...(attemptLog.length > 0 ? [attempts] : []), ...(body ? [pretty(body)] : [])].join('\n\n');
}

/** Returns JSON with indentation, without characters that control the terminal. `JSON.stringify` escapes only some. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split('\n').map(withoutControls).join('\n');
  } catch {
    return printable(body);
  }
}

/** Returns a table of event types. */
export function eventTypeTable(types: EventType[], style: Style, width?: number): string {
  return table<EventType>(
    types,
    [
      { title: 'TYPE', value: ({ type }) => type, paint: style.cyan },
      { title: 'MEANING', value: ({ description }) => description, minWidth: 14 },
      { title: 'TRIGGER', value: ({ trigger }) => trigger, minWidth: 14, omitPriority: 1 },
    ],
    style,
    width,
  );
}
