import { checkText, fail } from '@tautan/kit';

export const MAX_TAGS_OF_A_LINK = 20;
export const MAX_TAGS_OF_A_WORKSPACE = 1_000;

/** What tells tag names apart: case and composition of characters do not. */
export const tagKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** A tag's name: 1 to 50 characters, trimmed. Throws VALIDATION_ERROR naming the field. */
export const checkTagName = (name: string, field = 'name'): string => checkText(field, name, 50);

/** The names of a link's or QR code's tags, each once (the first spelling stays). Throws VALIDATION_ERROR naming `tags`. */
export function checkTagNames(names: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const checked = checkTagName(name, 'tags');
    if (!byKey.has(tagKey(checked))) byKey.set(tagKey(checked), checked);
  }
  checkTagCount(byKey.size);
  return [...byKey.values()];
}

export function checkTagCount(count: number): void {
  if (count <= MAX_TAGS_OF_A_LINK) return;
  throw fail('VALIDATION_ERROR', `At most ${MAX_TAGS_OF_A_LINK} tags are possible.`, 'tags');
}

/** The order in which names are shown: by what tells them apart. */
export function byName(a: string, b: string): number {
  const [left, right] = [tagKey(a), tagKey(b)];
  return left < right ? -1 : Number(left > right);
}
