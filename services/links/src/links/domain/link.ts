/** A link's status, as users see and set it. */
export const linkStatuses = ['active', 'expired', 'archived'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

/** A link as stored for management. */
export interface Link {
  /** lnk_… */
  _id: string;
  workspaceId: string;
  /** Custom domain, or null for the default domain. */
  domain: string | null;
  /** As typed. */
  slug: string;
  /** In lower case; unique per domain. */
  slugKey: string;
  url: string;
  title: string | null;
  description: string | null;
  /** Tag ids. */
  tags: string[];
  status: LinkStatus;
  expiresAt: Date | null;
  maxClicks: number | null;
  clickCount: number;
  lastClickAt: Date | null;
  qrCodeCount: number;
  createdBy: { type: 'user' | 'api_key'; id: string };
  createdAt: Date;
  updatedAt: Date;
  /** Calendar month in UTC, `YYYY-MM`, in which it counts toward the plan. Absent in links of earlier versions. */
  countedIn?: string;
}

export interface Tag {
  /** tag_… */
  _id: string;
  workspaceId: string;
  /** As typed. */
  name: string;
  /** See `tagKey`; unique per workspace. */
  nameKey: string;
  linkCount: number;
  qrCodeCount: number;
  createdAt: Date;
  updatedAt: Date;
}
