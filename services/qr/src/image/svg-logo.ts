/** Parts that can expand a document or load resources: document type declarations, inclusions, linked style sheets. */
const forbidden = /<!(?:DOCTYPE|ENTITY)|<\?xml-stylesheet|<(?:[^\s<>/:"'=]+:)?include\b/i;
/** Start tags of images with their attributes, whose values may contain `>`. */
const images = /<(?:[^\s<>/:"'=]+:)?(?:image|feImage)\b(?:[^>"']|"[^"]*"|'[^']*')*/gi;
/**
 * Attributes. All of them are matched, so that the value of one is not taken for another attribute. A match starts only
 * at the start of a name: if it could start at each character, a long name without a value would take quadratic time.
 */
const attributes = /(?<![^\s="'<>/])([^\s="'<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/**
 * References that are never loaded: http, https, ftp and file URLs, paths that start with `/` or `.`, fragments, and
 * empty ones. Anything else counts as an embedded image: for example file names and `data:` URLs, even if they are
 * written with character references, such as `&#100;ata:`.
 */
const neverLoaded = /^\s*(?:https?:|ftp:|file:|[/.#]|$)/i;

/**
 * Throws if an SVG document is not UTF-8, has parts that can expand it or load resources, or has embedded images, each
 * of which could be arbitrarily large when decompressed. Scripts and external references are accepted: they are never
 * run or loaded.
 */
export function assertHarmless(file: Buffer, refused: (why: string) => Error): void {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw refused('must be encoded in UTF-8');
  }
  if (forbidden.test(text))
    throw refused('must not contain document type declarations, inclusions or linked style sheets');
  for (const [image] of text.matchAll(images)) {
    for (const [, name = '', double, single = ''] of image.matchAll(attributes)) {
      if (/(?:^|:)href$/i.test(name) && !neverLoaded.test(double ?? single))
        throw refused('must not contain embedded images');
    }
  }
}
