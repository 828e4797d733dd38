import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadPackageDefinition, type GrpcObject, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { BillingDefinition } from './generated/tautan/billing/v1/Billing.js';
import type { DomainsDefinition } from './generated/tautan/links/v1/Domains.js';
import type { LinksDefinition } from './generated/tautan/links/v1/Links.js';
import type { QrRoutesDefinition } from './generated/tautan/links/v1/QrRoutes.js';
import type { StatsDefinition } from './generated/tautan/links/v1/Stats.js';
import type { StatsOperatorDefinition } from './generated/tautan/links/v1/StatsOperator.js';
import type { TagsDefinition } from './generated/tautan/links/v1/Tags.js';
import type { DeadLetterOperatorDefinition } from './generated/tautan/operator/v1/DeadLetterOperator.js';
import type { EncryptionOperatorDefinition } from './generated/tautan/operator/v1/EncryptionOperator.js';
import type { ProcessOperatorDefinition } from './generated/tautan/operator/v1/ProcessOperator.js';
import type { ShardingOperatorDefinition } from './generated/tautan/operator/v1/ShardingOperator.js';
import type { UsageOperatorDefinition } from './generated/tautan/operator/v1/UsageOperator.js';
import type { QrCodesDefinition } from './generated/tautan/qr/v1/QrCodes.js';
import type { QrImagesDefinition } from './generated/tautan/qr/v1/QrImages.js';
import type { UsageDefinition } from './generated/tautan/usage/v1/Usage.js';
import type { ApiKeysDefinition } from './generated/tautan/workspaces/v1/ApiKeys.js';
import type { AuditDefinition } from './generated/tautan/workspaces/v1/Audit.js';
import type { IdempotencyDefinition } from './generated/tautan/workspaces/v1/Idempotency.js';
import type { IdentityDefinition } from './generated/tautan/workspaces/v1/Identity.js';
import type { MembersDefinition } from './generated/tautan/workspaces/v1/Members.js';
import type { SessionsDefinition } from './generated/tautan/workspaces/v1/Sessions.js';
import type { WebhooksDefinition } from './generated/tautan/webhooks/v1/Webhooks.js';
import type { WorkspaceOperatorDefinition } from './generated/tautan/workspaces/v1/WorkspaceOperator.js';
import type { WorkspacesDefinition } from './generated/tautan/workspaces/v1/Workspaces.js';

const root = fileURLToPath(new URL('..', import.meta.url));
// Must match the options used to generate the types (`npm run generate`).
const loaded = loadPackageDefinition(
  loadSync(
    readdirSync(root).filter((name) => name.endsWith('.proto')),
    {
      includeDirs: [root],
      longs: Number,
      enums: String,
      defaults: true,
      oneofs: true,
    },
  ),
);

function service<D>(fullName: string): D {
  const found = fullName.split('.').reduce<GrpcObject>((scope, name) => scope[name] as GrpcObject, loaded);
  return (found as unknown as ServiceClientConstructor).service as unknown as D;
}

/** The gRPC services that the gateway and other services call. */
export const rpcServices = {
  links: service<LinksDefinition>('tautan.links.v1.Links'),
  tags: service<TagsDefinition>('tautan.links.v1.Tags'),
  stats: service<StatsDefinition>('tautan.links.v1.Stats'),
  domains: service<DomainsDefinition>('tautan.links.v1.Domains'),
  qrRoutes: service<QrRoutesDefinition>('tautan.links.v1.QrRoutes'),
  workspaces: service<WorkspacesDefinition>('tautan.workspaces.v1.Workspaces'),
  members: service<MembersDefinition>('tautan.workspaces.v1.Members'),
  identity: service<IdentityDefinition>('tautan.workspaces.v1.Identity'),
  sessions: service<SessionsDefinition>('tautan.workspaces.v1.Sessions'),
  apiKeys: service<ApiKeysDefinition>('tautan.workspaces.v1.ApiKeys'),
  audit: service<AuditDefinition>('tautan.workspaces.v1.Audit'),
  idempotency: service<IdempotencyDefinition>('tautan.workspaces.v1.Idempotency'),
  webhooks: service<WebhooksDefinition>('tautan.webhooks.v1.Webhooks'),
  qrCodes: service<QrCodesDefinition>('tautan.qr.v1.QrCodes'),
  qrImages: service<QrImagesDefinition>('tautan.qr.v1.QrImages'),
  billing: service<BillingDefinition>('tautan.billing.v1.Billing'),
  usage: service<UsageDefinition>('tautan.usage.v1.Usage'),
};

/** The gRPC services that operators call. Each process serves those that apply to it, on loopback only. */
export const operatorServices = {
  processes: service<ProcessOperatorDefinition>('tautan.operator.v1.ProcessOperator'),
  deadLetters: service<DeadLetterOperatorDefinition>('tautan.operator.v1.DeadLetterOperator'),
  sharding: service<ShardingOperatorDefinition>('tautan.operator.v1.ShardingOperator'),
  usage: service<UsageOperatorDefinition>('tautan.operator.v1.UsageOperator'),
  encryption: service<EncryptionOperatorDefinition>('tautan.operator.v1.EncryptionOperator'),
  workspaces: service<WorkspaceOperatorDefinition>('tautan.workspaces.v1.WorkspaceOperator'),
  stats: service<StatsOperatorDefinition>('tautan.links.v1.StatsOperator'),
};
