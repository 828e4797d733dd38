import type { EventData } from '@tautan/proto';
import { isLoopback } from '../../domains/domain/host.js';
import type { Link, Tag } from './link.js';
import { byName } from '../../tags/domain/tag-names.js';

/** A link as returned by the API. */
export type LinkView = EventData<'link.created'>;
/** A tag as returned by the API. */
export type TagView = EventData<'tag.created'>;
/** Tag names by id. */
export type TagNames = ReadonlyMap<string, string>;

/** Returns the short URL of a slug on a domain (null: the default domain, whose origin is `baseUrl`). */
export function shortUrlOf(domain: string | null, slug: string, baseUrl: string): string {
  if (domain === null) return `${baseUrl}/${slug}`;
  const { protocol, hostname, port } = new URL(baseUrl);
  // A custom domain has the scheme of the base URL, and its port only if the base URL is on loopback.
  return `${protocol}//${domain}${port && isLoopback(hostname) ? `:${port}` : ''}/${slug}`;
}

/** Returns a link as the API represents it. Omits tags that `names` does not contain: they are being deleted. */
export function linkView(link: Link, names: TagNames, baseUrl: string): LinkView {
  const { _id: id, workspaceId: _workspace, slugKey: _key, countedIn: _month, ...own } = link;
  const { expiresAt, lastClickAt, createdAt, updatedAt, ...same } = own;
  return {
    ...same,
    id,
    shortUrl: shortUrlOf(link.domain, link.slug, baseUrl),
    tags: link.tags.flatMap((id) => names.get(id) ?? []).sort(byName),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastClickAt: lastClickAt?.toISOString() ?? null,
    createdBy: { type: link.createdBy.type, id: link.createdBy.id },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function tagView(tag: Tag): TagView {
  return {
    id: tag._id,
    name: tag.name,
    linkCount: tag.linkCount,
    qrCodeCount: tag.qrCodeCount,
    createdAt: tag.createdAt.toISOString(),
    updatedAt: tag.updatedAt.toISOString(),
  };
}
