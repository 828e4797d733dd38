import { draftLink, type LinkDraft } from '../links/domain/new-link.js';

/** A valid draft of a link to any destination. */
export const aDraft = (url = 'https://example.com/'): LinkDraft =>
  draftLink({ url, tags: [] }, { ownHosts: new Set(), allowPrivate: true }, new Date());
