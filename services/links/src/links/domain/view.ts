import type { EventData } from '@tautan/proto';
import { isLoopback } from '../../domains/domain/host.js';
import type { Link, Tag } from './link.js';
import { byName } from '../../tags/domain/tag-names.js';

/** A link as the API shows it. */
export type LinkView = EventData<'link.created'>;
/** A tag as the API shows it. */
export type TagView = EventData<'tag.created'>;
/** Names of tags by id. */
export type TagNames = ReadonlyMap<string, string>;

/** The address of a slug on a domain (null: the default one, whose origin is `baseUrl`). */
export function shortUrlOf(domain: string | null, slug: string, baseUrl: string): string {
  if (domain === null) return `${baseUrl}/${slug}`;
  const { protocol, hostname, port } = new URL(baseUrl);
  // A custom domain is served as the default one is; on a developer's machine at its port too.
  return `${protocol}//${domain}${port && isLoopback(hostname) ? `:${port}` : ''}/${slug}`;
}

/** Tags that `names` does not know are left out: they are being deleted. */
export function linkView(link: Link, names: TagNames, baseUrl: string): LinkView {
  return {
    id: link._id,
    slug: link.slug,
    domain: link.domain,
    shortUrl: shortUrlOf(link.domain, link.slug, baseUrl),
    url: link.url,
    title: link.title,
    description: link.description,
    tags: link.tags.flatMap((id) => names.get(id) ?? []).sort(byName),
    status: link.status,
    expiresAt: link.expiresAt?.toISOString() ?? null,
    maxClicks: link.maxClicks,
    clickCount: link.clickCount,
    lastClickAt: link.lastClickAt?.toISOString() ?? null,
    qrCodeCount: link.qrCodeCount,
    createdBy: { type: link.createdBy.type, id: link.createdBy.id },
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
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
