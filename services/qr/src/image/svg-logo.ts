/** Parts of a document that make it larger than its file, or fetch something: declarations, inclusions, style sheets. */
const forbidden = /<!(?:DOCTYPE|ENTITY)|<\?xml-stylesheet|<(?:[\w.-]+:)?include\b/i;
const images = /<(?:[\w.-]+:)?(?:image|feImage)\b[^>]*/gi;
const references = /href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
/** What is never loaded: an address elsewhere, a path, a part of the document itself. */
const elsewhere = /^\s*(?:https?:|ftp:|file:|[/.#]|$)[^&]*$/i;

/**
 * Refuses an SVG document that could take more than its file's size to draw. Scripts never run, and references to elsewhere
 * are never followed; images inside it are refused, since each could be as large as it likes once it is unpacked.
 */
export function assertHarmless(file: Buffer, refused: (why: string) => Error): void {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw refused('must be encoded in UTF-8');
  }
  if (forbidden.test(text)) throw refused('must not declare, include or load anything');
  for (const [image] of text.matchAll(images)) {
    for (const [, double, single] of image.matchAll(references)) {
      if (!elsewhere.test(double ?? single ?? '')) throw refused('must not hold other images');
    }
  }
}
