import type { Api } from '../api/client.js';
import { fail } from '../errors.js';

/**
 * The event types that patterns such as `link.created` or `tag.*` stand for, as an endpoint subscribes to them: names, or
 * `*` alone. Fails with `usage` where the service knows none of the kind.
 */
export async function subscription(api: Api, patterns: string[]): Promise<string[]> {
  if (patterns.includes('*')) return ['*'];
  const data = await api.get('/webhooks/event-types');
  const known = data.map(({ type }) => type);
  return [...new Set(patterns.flatMap((pattern) => matching(pattern, known)))];
}

function matching(pattern: string, known: string[]): string[] {
  const prefix = pattern.endsWith('.*') ? pattern.slice(0, -1) : undefined;
  const found = known.filter((type) => (prefix === undefined ? type === pattern : type.startsWith(prefix)));
  if (found.length > 0) return found;
  throw fail('usage', `There is no event type ${pattern}.`, { hint: `There are: ${known.join(', ')}` });
}

/** Whether a subscription takes an event of a type. */
export const takes = (events: string[], type: string): boolean => events[0] === '*' || events.includes(type);
