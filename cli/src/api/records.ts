import type { BodyOf, DataOf, Paths, Schemas } from '@tautan/sdk';

// API records used by the commands.
export type Link = Schemas['Link'];
export type Tag = Schemas['Tag'];
export type Domain = Schemas['Domain'];
/** A required DNS record and the values found. */
export type DnsRecord = Domain['dnsRecords'][number];
export type LinkStats = Schemas['LinkStats'];
/** The length of an interval of a time series. */
export type Granularity = LinkStats['granularity'];
export type QrCodeStats = Schemas['QrCodeStats'];
export type WorkspaceStats = Schemas['WorkspaceStats'];
/** The result of POST /links/bulk. */
export type BulkResult = DataOf<Paths['/links/bulk']['post']>;
export type QrCode = Schemas['QrCode'];
export type NewQrCode = BodyOf<Paths['/qr-codes']['post']>;
export type QrStyle = NonNullable<NewQrCode['styleConfig']>;
export type Member = Schemas['Member'];
export type Endpoint = Schemas['WebhookEndpoint'];
export type EventType = Schemas['EventType'];
export type AuditEntry = Schemas['AuditEntry'];
/** A browser in which a user is signed in. */
export type UserSession = Schemas['UserSession'];
export type Workspace = Schemas['Workspace'];
export type ApiKey = Schemas['ApiKey'];
/** The caller of the API and the active workspace. */
export type Session = Schemas['Session'];
export type EndpointWithSecret = Schemas['WebhookEndpointWithSecret'];
/** An event type, or `*` for all. */
export type EventName = BodyOf<Paths['/webhooks']['post']>['events'][number];
export type DeliverySummary = Schemas['DeliverySummary'];
export type Delivery = Schemas['Delivery'];
export type Plan = Schemas['Plan'];
export type Subscription = Schemas['Subscription'];
export type Invoice = Schemas['Invoice'];
/** Usage of one limit; a limit of null means unlimited. */
export type LimitUsage = Schemas['Usage']['links'];
/** Usage by limit name, including limits that this version does not know. */
export interface Usage {
  period: string;
  plan: string;
  [limit: string]: string | LimitUsage;
}
/** The result of POST /links/import. */
export type ImportResult = DataOf<Paths['/links/import']['post']>;
export type ImportItem = BodyOf<Paths['/links/import']['post']>['links'][number];
export type ImportRowResult = ImportResult['results'][number];
