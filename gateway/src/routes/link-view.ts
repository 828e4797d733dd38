import type { LinkMessage, TagMessage } from '@tautan/proto';
import type { LinkRecord } from './link-schemas.js';
import type { TagRecord } from './tags.js';

/** A link as the API shows it. */
export function linkView(link: LinkMessage): LinkRecord {
  return {
    id: link.id,
    slug: link.slug,
    domain: link.domain ?? null,
    shortUrl: link.shortUrl,
    url: link.url,
    title: link.title ?? null,
    description: link.description ?? null,
    tags: link.tags,
    status: link.status as LinkRecord['status'],
    expiresAt: link.expiresAt ?? null,
    maxClicks: link.maxClicks ?? null,
    clickCount: link.clickCount,
    lastClickAt: link.lastClickAt ?? null,
    qrCodeCount: link.qrCodeCount,
    createdBy: {
      type: (link.createdBy?.type ?? 'api_key') as LinkRecord['createdBy']['type'],
      id: link.createdBy?.id ?? '',
    },
    createdAt: link.createdAt,
    updatedAt: link.updatedAt,
  };
}

/** A tag as the API shows it. */
export function tagView({ id, name, linkCount, qrCodeCount, createdAt, updatedAt }: TagMessage): TagRecord {
  return { id, name, linkCount, qrCodeCount, createdAt, updatedAt };
}
