import type { EventData } from '@tautan/proto';
import type { Link, Tag } from './link.js';
import { byName } from './tag-names.js';

/** A link as the API shows it. */
export type LinkView = EventData<'link.created'>;
/** A tag as the API shows it. */
export type TagView = EventData<'tag.created'>;
/** Names of tags by id. */
export type TagNames = ReadonlyMap<string, string>;

/** Tags that `names` does not know are left out: they are being deleted. */
export function linkView(link: Link, names: TagNames, baseUrl: string): LinkView {
  return {
    id: link._id,
    slug: link.slug,
    domain: link.domain,
    shortUrl: `${link.domain === null ? baseUrl : `https://${link.domain}`}/${link.slug}`,
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
