import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { renderSvg, type LogoImage } from './svg.js';
import type { StyleConfig } from './style.js';

export const formats = ['png', 'svg'] as const;
export type Format = (typeof formats)[number];
export const contentTypes: Record<Format, string> = { png: 'image/png', svg: 'image/svg+xml' };

/** Everything that determines an image. `size` is in pixels per side. */
export interface ImageSpec {
  text: string;
  style: StyleConfig;
  /** Id of an uploaded logo (`lgo_…`); null for none. The API prescribes the name `logoRunRef`. */
  logoRunRef: string | null;
  format: Format;
  size: number;
}

/** Increment with every change to the rendering, so that cached images of earlier versions become stale. */
const VERSION = 1;

/** Returns a strong entity tag (RFC 9110, 8.8.3) of everything that an image depends on. Logos are immutable. */
export function etagOf({ text, style, logoRunRef, format, size }: ImageSpec): string {
  const fields = Object.entries(style).sort(([a], [b]) => (a < b ? -1 : 1));
  const all = JSON.stringify([VERSION, text, fields, logoRunRef, format, size]);
  return `"${createHash('sha256').update(all).digest('base64url')}"`;
}

/** Renders images, with a cache. */
export class Renderer {
  readonly #cache: LRUCache<string, Promise<Buffer>>;

  /** `cacheBytes` is the maximum memory for cached images. */
  constructor(cacheBytes: number) {
    this.#cache = new LRUCache({ maxSize: cacheBytes, maxEntrySize: Math.ceil(cacheBytes / 8) });
  }

  /**
   * Returns the bytes of an image. Loads the logo unless the image is cached. Throws VALIDATION_ERROR naming `size` if
   * readers could not distinguish the modules.
   */
  async render(spec: ImageSpec, etag: string, loadLogo: () => Promise<LogoImage | null>): Promise<Buffer> {
    const known = this.#cache.get(etag);
    if (known) return known;
    const rendering = renderUncached(spec, loadLogo);
    const image = await rendering;
    this.#cache.set(etag, rendering, { size: image.length });
    return image;
  }
}

async function renderUncached(
  { format, ...spec }: ImageSpec,
  loadLogo: () => Promise<LogoImage | null>,
): Promise<Buffer> {
  const svg = Buffer.from(renderSvg({ ...spec, logo: await loadLogo() }));
  if (format === 'svg') return svg;
  // Loading the image library takes 30 MB and a tenth of a second, so it is loaded with the first image that needs it.
  const { rasterize } = await import('./raster.js');
  return rasterize(svg);
}
