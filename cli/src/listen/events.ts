import type { Api } from '../api/client.js';
import { fail } from '../errors.js';

/** Returns the patterns in comma-separated lists such as `link.created, tag.*`. Throws `usage` if there are none. */
export function patternsOf(lists: string[]): string[] {
  const patterns = lists
    .flatMap((list) => list.split(','))
    .map((one) => one.trim())
    .filter(Boolean);
  if (patterns.length === 0) throw fail('usage', '--events contains no event type.');
  return patterns;
}

/**
 * Returns the event types that match at least one pattern, such as `link.created` or `tag.*`. Returns only `*` if
 * `*` is one of the patterns. Throws `usage` if a pattern matches no event type of the service.
 */
export async function matchingEventTypes(api: Api, patterns: string[]): Promise<string[]> {
  if (patterns.includes('*')) return ['*'];
  const data = await api.get('/webhooks/event-types');
  const known = data.map(({ type }) => type);
  return [...new Set(patterns.flatMap((pattern) => matching(pattern, known)))];
}

function matching(pattern: string, known: string[]): string[] {
  const prefix = pattern.endsWith('.*') ? pattern.slice(0, -1) : undefined;
  const found = known.filter((type) => (prefix === undefined ? type === pattern : type.startsWith(prefix)));
  if (found.length > 0) return found;
  throw fail('usage', `Unknown event type: ${pattern}.`, { hint: `Event types: ${known.join(', ')}` });
}

/** Returns whether `events`, a result of `matchingEventTypes`, includes `type`. */
export const includesEvent = (events: string[], type: string): boolean => events[0] === '*' || events.includes(type);
