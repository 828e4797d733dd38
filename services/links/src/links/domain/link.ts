import type { LinkRecord } from '@tautan/proto';

export { linkStatuses, type LinkStatus } from '@tautan/proto';

/** Fields of the API record that are stored in another form or not at all. */
type Converted = 'id' | 'shortUrl' | 'expiresAt' | 'lastClickAt' | 'createdAt' | 'updatedAt';

/** A link as stored: the fields of the API record, and internal ones. Redirects read its `Route` instead. */
export interface Link extends Omit<LinkRecord, Converted> {
  /** lnk_… */
  _id: string;
  workspaceId: string;
  /** In lower case; unique per workspace and domain. */
  slugKey: string;
  /** Tag ids. */
  tags: string[];
  expiresAt: Date | null;
  lastClickAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Calendar month in UTC, `YYYY-MM`, in which the link counts toward the plan. Absent in links of old versions. */
  countedIn?: string;
}

export interface Tag {
  /** tag_… */
  _id: string;
  workspaceId: string;
  /** As typed. */
  name: string;
  /** Key of the name, which ignores case and spacing (`tagKey` in tags/domain/tag-names.ts); unique per workspace. */
  nameKey: string;
  linkCount: number;
  qrCodeCount: number;
  createdAt: Date;
  updatedAt: Date;
}
