import { checkLines, checkText, fail, oneOf, parseFutureTime, parseTime } from '@tautan/kit';
import { parseDomainName } from '../../domains/domain/domain-name.js';
import { checkMaxClicks } from './expiry.js';
import { linkStatuses, type Link, type LinkStatus } from './link.js';
import { routeKey, type LinkSnapshot, type Route } from '../../redirects/domain/route.js';
import { checkSlug } from './slug.js';
import { checkTagNames } from '../../tags/domain/tag-names.js';
import { checkUrl, type DestinationRules } from './url.js';

/** The parameters of a new link; absent or undefined fields are unset. */
export interface LinkInput {
  url: string;
  slug?: string | undefined;
  domain?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** Tag names. */
  tags: string[];
  expiresAt?: string | undefined;
  maxClicks?: number | undefined;
  /** Imports only; `active` when absent. */
  status?: string | undefined;
}

/** A validated link without the fields that are assigned on creation. */
export interface LinkDraft {
  url: string;
  /** As typed; undefined to generate one. */
  slug: string | undefined;
  domain: string | null;
  title: string | null;
  description: string | null;
  /** Tag names. */
  tags: string[];
  expiresAt: Date | null;
  maxClicks: number | null;
  status: LinkStatus;
}

export const checkTitle = (text: string): string => checkText('title', text, 200);
/** Checks a description, which may have several lines. */
export const checkDescription = (text: string): string => checkLines('description', text, 500);

const optional = <T, R>(value: T | undefined, check: (value: T) => R): R | null =>
  value === undefined ? null : check(value);

/**
 * Validates everything that does not depend on other links. The expiry date must be in the future if the status is
 * `active`. Throws VALIDATION_ERROR naming the first invalid field.
 */
export function draftLink(input: LinkInput, rules: DestinationRules, now: Date): LinkDraft {
  const status = oneOf('status', linkStatuses, input.status) ?? 'active';
  const readExpiresAt = (text: string) =>
    status === 'active' ? parseFutureTime('expiresAt', text, now) : parseTime('expiresAt', text);
  return {
    url: checkUrl(input.url, rules),
    slug: optional(input.slug, checkSlug) ?? undefined,
    domain: optional(input.domain, checkDomain),
    title: optional(input.title, checkTitle),
    description: optional(input.description, checkDescription),
    tags: checkTagNames(input.tags),
    expiresAt: optional(input.expiresAt, readExpiresAt),
    maxClicks: optional(input.maxClicks, (value) => checkMaxClicks(value)),
    status,
  };
}

/** Validates the name only. Whether it is a verified domain of the workspace is checked on write. */
function checkDomain(text: string): string {
  const name = parseDomainName(text);
  if (name === undefined) throw domainNotVerified();
  return name;
}

export const domainNotVerified = () =>
  fail('VALIDATION_ERROR', 'domain is not a verified domain of this workspace.', 'domain');

/** The fields that are assigned on creation. */
export interface LinkMetadata {
  id: string;
  workspaceId: string;
  slug: string;
  createdBy: Link['createdBy'];
  createdAt: Date;
  countedIn: string;
}

/** Creates a link from a draft. Its tag ids are added later. */
export function newLink(
  { domain, url, title, description, expiresAt, maxClicks, status }: LinkDraft,
  metadata: LinkMetadata,
): Link {
  const { id, workspaceId, slug, createdBy, createdAt, countedIn } = metadata;
  return {
    _id: id,
    workspaceId,
    domain,
    slug,
    slugKey: slug.toLowerCase(),
    url,
    title,
    description,
    tags: [],
    status,
    expiresAt,
    maxClicks,
    clickCount: 0,
    lastClickAt: null,
    qrCodeCount: 0,
    createdBy,
    createdAt,
    updatedAt: createdAt,
    countedIn,
  };
}

/** Returns a link's entry in the routing table. `remaining`: the human clicks left under its limit. */
export const routeOf = (link: Link, remaining: number | null = link.maxClicks): Route => ({
  _id: routeKey(link.domain, link.slug),
  workspaceId: link.workspaceId,
  linkId: link._id,
  qrId: null,
  via: 'link',
  url: link.url,
  status: link.status,
  expiresAt: link.expiresAt,
  maxClicks: link.maxClicks,
  remaining,
  purgeAt: null,
});

/** Returns what the routes of a link's QR codes copy from the link. */
export const snapshotOf = (
  link: Link,
  status: Route['status'] = link.status,
): Pick<Route, 'url'> & { follows: LinkSnapshot } => ({
  url: link.url,
  follows: {
    key: routeKey(link.domain, link.slug),
    status,
    expiresAt: link.expiresAt,
    limited: link.maxClicks !== null,
  },
});
