import { checkCharacters, checkText, fail } from '@tautan/kit';

export const MAX_TAGS_PER_LINK = 20;

const collapsed = (name: string): string => name.trim().replace(/\s+/g, ' ');

/**
 * Returns the key of a tag name; names with the same key are the same tag. Ignores case, Unicode composition, and
 * whitespace that is leading, trailing or repeated.
 */
export const tagKey = (name: string): string => collapsed(name).normalize('NFC').toLowerCase();

/**
 * Returns a tag name of 1 to 50 characters, trimmed and with inner whitespace collapsed. Throws VALIDATION_ERROR
 * naming the field.
 */
export function checkTagName(name: string, field = 'name'): string {
  checkCharacters(field, name);
  return checkText(field, collapsed(name), 50);
}

/**
 * Returns the tag names of a link or QR code without duplicates (the first spelling wins). Throws VALIDATION_ERROR
 * naming `tags.<index>`, or `tags` for too many.
 */
export function checkTagNames(names: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const [i, name] of names.entries()) {
    const checked = checkTagName(name, `tags.${i}`);
    if (!byKey.has(tagKey(checked))) byKey.set(tagKey(checked), checked);
  }
  checkTagCount(byKey.size);
  return [...byKey.values()];
}

export function checkTagCount(count: number): void {
  if (count <= MAX_TAGS_PER_LINK) return;
  throw fail('VALIDATION_ERROR', `tags must contain at most ${MAX_TAGS_PER_LINK} tags.`, 'tags');
}

/** Compares names for sorting, by key. */
export function byName(a: string, b: string): number {
  const [left, right] = [tagKey(a), tagKey(b)];
  return left < right ? -1 : Number(left > right);
}
