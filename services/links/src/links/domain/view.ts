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
