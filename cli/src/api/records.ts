/** Records of the API, as far as this program shows them. */
export interface Link {
  id: string;
  slug: string;
  domain: string | null;
  shortUrl: string;
  url: string;
  title: string | null;
  description: string | null;
  tags: string[];
  status: 'active' | 'expired' | 'archived';
  expiresAt: string | null;
  maxClicks: number | null;
  clickCount: number;
  lastClickAt: string | null;
  qrCodeCount: number;
  createdBy: { type: string; id: string };
  createdAt: string;
  updatedAt: string;
}

export interface Tag {
  id: string;
  name: string;
  linkCount: number;
  qrCodeCount: number;
  createdAt: string;
}

export interface Domain {
  id: string;
  domain: string;
  status: 'pending' | 'verified' | 'failed';
  dnsRecords: DnsRecord[];
  lastCheckedAt: string | null;
  lastError: string | null;
  linkCount: number;
  createdAt: string;
}

/** A DNS record as it has to be, and what was found. */
export interface DnsRecord {
  type: string;
  name: string;
  value: string;
  found: string[];
  ok: boolean;
}

export interface Workspace {
  id: string;
  name: string;
  role?: string | null;
  plan?: string;
  linkCount?: number;
  memberCount?: number;
  current?: boolean;
}

export interface ApiKey {
  id: string;
  label: string;
  prefix: string;
  lastUsedAt?: string | null;
  createdAt?: string;
  /** At its making only. */
  key?: string;
}

/** Who one is: GET /auth/session. */
export interface Session {
  user: { id: string; email: string; name: string } | null;
  workspace: Workspace | null;
  credential?: { type: string; label?: string };
}

/** What became of the rows of one POST /links/import. */
export interface ImportResult {
  dryRun: boolean;
  total: number;
  created: number;
  failed: number;
  results: ImportedRow[];
}

export interface ImportedRow {
  /** Position, from 0. */
  index: number;
  status: 'created' | 'valid' | 'failed';
  id?: string;
  slug?: string;
  error?: { code: string; message: string; field?: string };
}

export interface EventType {
  type: string;
  description: string;
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  events: string[];
  active: boolean;
  /** At its making only: whsec_… */
  secret?: string;
}

/** One event for one endpoint, as the list shows it. */
export interface DeliverySummary {
  id: string;
  subscriptionId: string;
  eventId: string;
  type: string;
  status: 'pending' | 'succeeded' | 'failed';
  createdAt: string;
}

export interface Delivery extends DeliverySummary {
  /** The exact text that is sent; null for members and viewers. */
  body: string | null;
}

export interface Deleted {
  id: string;
  deleted: true;
}
