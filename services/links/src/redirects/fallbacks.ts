import type { Brand } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import type { DomainPages, FallbackUrls } from '../domains/domain/domain-pages.js';
import { domainKey } from './domain/route.js';
import { headerSafe } from './cached-route.js';
import { pagesOf, type PageName, type Pages } from './pages.js';
import type { RouteCache } from './route-cache.js';

/** Why there is no link to redirect to: the root was requested, no link has this address, or the link is inactive. */
export type FallbackReason = 'landing' | 'not_found' | 'gone';

const urlNames = { landing: 'rootUrl', not_found: 'notFoundUrl', gone: 'expiredUrl' } as const;
const MAX_BRANDS = 100;

/**
 * Chooses the response to requests without a link to redirect to. The default domain uses the installation's settings;
 * a custom domain uses its cached entry.
 */
export class Fallbacks {
  /** Pages with the installation's brand. */
  readonly #defaultPages: Pages;
  /** Pages with the brands of custom domains. */
  readonly #branded = new LRUCache<string, Pages>({ max: MAX_BRANDS });

  constructor(
    private readonly settings: { brand: Brand; urls: FallbackUrls },
    private readonly cache: Pick<RouteCache, 'last'>,
  ) {
    this.#defaultPages = pagesOf(settings.brand);
  }

  /** Returns the URL to redirect to, and the page to send if that URL is null. Custom domains have no landing page. */
  of(host: string, reason: FallbackReason): { location: string | null; page: PageName } {
    const urls = host === '' ? this.settings.urls : this.#domainSettings(host);
    const url = urls?.[urlNames[reason]] ?? null;
    return {
      location: url === null ? null : headerSafe(url),
      page: reason === 'landing' && host !== '' ? 'not_found' : reason,
    };
  }

  /** Returns the pages of a host, with the domain's brand if it is cached. */
  pagesOf(host: string): Pages {
    const { brandName, brandLogoUrl, brandColor } = (host !== '' && this.#domainSettings(host)) || {};
    if (!brandName && !brandLogoUrl && !brandColor) return this.#defaultPages;
    const { brand } = this.settings;
    // A domain with its own brand name does not use the installation's logo.
    const logo = brandLogoUrl ?? (brandName ? null : brand.logo);
    return this.#brandedPages({ name: brandName ?? brand.name, logo, color: brandColor ?? brand.color });
  }

  #domainSettings(host: string): Partial<DomainPages> | null {
    return this.cache.last(domainKey(host))?.pages ?? null;
  }

  #brandedPages(brand: Brand): Pages {
    const key = JSON.stringify(brand);
    const known = this.#branded.get(key);
    if (known) return known;
    const pages = pagesOf(brand);
    this.#branded.set(key, pages);
    return pages;
  }
}
