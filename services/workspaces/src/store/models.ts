import { Schema, type Connection, type Model } from 'mongoose';
import type { ApiKey } from '../domain/api-key.js';
import type { IdempotentRequest } from '../domain/idempotency.js';
import type { Workspace } from '../domain/workspace.js';

const options = { versionKey: false, minimize: false, timestamps: false } as const;

const workspace = new Schema<Workspace>({ _id: String, name: String, plan: String, createdAt: Date }, options);

const apiKey = new Schema<ApiKey>(
  {
    _id: String,
    workspaceId: String,
    label: String,
    prefix: String,
    hash: Buffer,
    createdBy: { type: { type: String }, id: { type: String, default: null } },
    createdAt: Date,
    lastUsedAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
  },
  options,
);
apiKey.index({ hash: 1 }, { unique: true });
apiKey.index({ workspaceId: 1, createdAt: -1, _id: -1 });

const idempotentRequest = new Schema<IdempotentRequest>(
  {
    _id: String,
    state: String,
    operationId: String,
    fingerprint: Buffer,
    answer: { type: { status: Number, body: String }, _id: false, default: null },
    leaseUntil: Date,
    expireAt: Date,
  },
  options,
);
idempotentRequest.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** The collections of this service, on one connection. */
export interface Models {
  workspaces: Model<Workspace>;
  apiKeys: Model<ApiKey>;
  idempotentRequests: Model<IdempotentRequest>;
}

export function createModels(connection: Connection): Models {
  return {
    workspaces: connection.model<Workspace>('workspaces', workspace, 'workspaces'),
    apiKeys: connection.model<ApiKey>('api_keys', apiKey, 'api_keys'),
    idempotentRequests: connection.model<IdempotentRequest>(
      'idempotent_requests',
      idempotentRequest,
      'idempotent_requests',
    ),
  };
}

/** Makes every collection and index that is missing; transactions and uniqueness rely on them. */
export async function prepareCollections(models: Models): Promise<void> {
  for (const model of Object.values(models) as Model<unknown>[]) {
    await model.createCollection();
    await model.createIndexes();
  }
}
