import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { drawSvg, type LogoImage } from './svg.js';
import type { StyleConfig } from './style.js';

export const formats = ['png', 'svg'] as const;
export type Format = (typeof formats)[number];
export const contentTypes: Record<Format, string> = { png: 'image/png', svg: 'image/svg+xml' };

/** What an image is made from. `size`: pixels a side. */
export interface Picture {
  text: string;
  style: StyleConfig;
  logoRunRef: string | null;
  format: Format;
  size: number;
}

/** Grows with every change of what is drawn, so that nobody keeps what an earlier version drew. */
const VERSION = 1;

/** A strong entity tag (RFC 9110 section 8.8.3) of all that an image depends on. A logo never changes under its reference. */
export function etagOf({ text, style, logoRunRef, format, size }: Picture): string {
  const fields = Object.entries(style).sort(([a], [b]) => (a < b ? -1 : 1));
  const all = JSON.stringify([VERSION, text, fields, logoRunRef, format, size]);
  return `"${createHash('sha256').update(all).digest('base64url')}"`;
}

/** Draws images, and remembers those of late. */
export class Renderer {
  readonly #drawn: LRUCache<string, Promise<Buffer>>;

  /** `cacheBytes`: most memory for remembered images. */
  constructor(cacheBytes: number) {
    this.#drawn = new LRUCache({ maxSize: cacheBytes, maxEntrySize: Math.ceil(cacheBytes / 8) });
  }

  /** An image's bytes; the logo is asked for when it is needed. Throws VALIDATION_ERROR naming `size` as `drawSvg` does. */
  async render(picture: Picture, etag: string, loadLogo: () => Promise<LogoImage | null>): Promise<Buffer> {
    const known = this.#drawn.get(etag);
    if (known) return known;
    const drawing = draw(picture, loadLogo);
    const image = await drawing;
    this.#drawn.set(etag, drawing, { size: image.length });
    return image;
  }
}

async function draw({ format, ...picture }: Picture, loadLogo: () => Promise<LogoImage | null>): Promise<Buffer> {
  const svg = Buffer.from(drawSvg({ ...picture, logo: await loadLogo() }));
  if (format === 'svg') return svg;
  // The library for pixels takes 30 MB and a tenth of a second: it comes with the first image that needs it.
  const { rasterise } = await import('./raster.js');
  return rasterise(svg);
}
