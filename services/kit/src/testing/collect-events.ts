import type { Bus } from '../bus/index.js';

/**
 * Returns a list to which every event of a subject is added when it arrives. Each id is added once, because an outbox
 * may publish an event more than once.
 */
export function collectEvents<T extends { id: string }>(
  bus: Pick<Bus, 'listen'>,
  subject: string,
  parse: (payload: unknown) => T,
): T[] {
  const events: T[] = [];
  bus.listen(subject, (payload) => {
    const event = parse(payload);
    if (!events.some(({ id }) => id === event.id)) events.push(event);
  });
  return events;
}
