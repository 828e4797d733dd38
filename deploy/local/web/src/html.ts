/** HTML that is safe to insert without escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | false | Part[];

/** Builds HTML. Values are escaped unless they are Html; undefined and false insert nothing. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, i) => `${text}${textOf(parts[i - 1])}${string}`));

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return part === undefined || part === false ? '' : escaped(String(part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
