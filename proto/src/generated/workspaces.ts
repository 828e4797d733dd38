import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { ApiKeysClient as _tautan_workspaces_v1_ApiKeysClient, ApiKeysDefinition as _tautan_workspaces_v1_ApiKeysDefinition } from './tautan/workspaces/v1/ApiKeys.js';
import type { BeginRequestRequest as _tautan_workspaces_v1_BeginRequestRequest, BeginRequestRequest__Output as _tautan_workspaces_v1_BeginRequestRequest__Output } from './tautan/workspaces/v1/BeginRequestRequest.js';
import type { BeginRequestResponse as _tautan_workspaces_v1_BeginRequestResponse, BeginRequestResponse__Output as _tautan_workspaces_v1_BeginRequestResponse__Output } from './tautan/workspaces/v1/BeginRequestResponse.js';
import type { CompleteRequestRequest as _tautan_workspaces_v1_CompleteRequestRequest, CompleteRequestRequest__Output as _tautan_workspaces_v1_CompleteRequestRequest__Output } from './tautan/workspaces/v1/CompleteRequestRequest.js';
import type { CompleteRequestResponse as _tautan_workspaces_v1_CompleteRequestResponse, CompleteRequestResponse__Output as _tautan_workspaces_v1_CompleteRequestResponse__Output } from './tautan/workspaces/v1/CompleteRequestResponse.js';
import type { CreateWorkspaceRequest as _tautan_workspaces_v1_CreateWorkspaceRequest, CreateWorkspaceRequest__Output as _tautan_workspaces_v1_CreateWorkspaceRequest__Output } from './tautan/workspaces/v1/CreateWorkspaceRequest.js';
import type { GetWorkspaceRequest as _tautan_workspaces_v1_GetWorkspaceRequest, GetWorkspaceRequest__Output as _tautan_workspaces_v1_GetWorkspaceRequest__Output } from './tautan/workspaces/v1/GetWorkspaceRequest.js';
import type { IdempotencyClient as _tautan_workspaces_v1_IdempotencyClient, IdempotencyDefinition as _tautan_workspaces_v1_IdempotencyDefinition } from './tautan/workspaces/v1/Idempotency.js';
import type { MintApiKeyRequest as _tautan_workspaces_v1_MintApiKeyRequest, MintApiKeyRequest__Output as _tautan_workspaces_v1_MintApiKeyRequest__Output } from './tautan/workspaces/v1/MintApiKeyRequest.js';
import type { MintedApiKey as _tautan_workspaces_v1_MintedApiKey, MintedApiKey__Output as _tautan_workspaces_v1_MintedApiKey__Output } from './tautan/workspaces/v1/MintedApiKey.js';
import type { ReleaseRequestRequest as _tautan_workspaces_v1_ReleaseRequestRequest, ReleaseRequestRequest__Output as _tautan_workspaces_v1_ReleaseRequestRequest__Output } from './tautan/workspaces/v1/ReleaseRequestRequest.js';
import type { ReleaseRequestResponse as _tautan_workspaces_v1_ReleaseRequestResponse, ReleaseRequestResponse__Output as _tautan_workspaces_v1_ReleaseRequestResponse__Output } from './tautan/workspaces/v1/ReleaseRequestResponse.js';
import type { RevokeApiKeyRequest as _tautan_workspaces_v1_RevokeApiKeyRequest, RevokeApiKeyRequest__Output as _tautan_workspaces_v1_RevokeApiKeyRequest__Output } from './tautan/workspaces/v1/RevokeApiKeyRequest.js';
import type { RevokeApiKeyResponse as _tautan_workspaces_v1_RevokeApiKeyResponse, RevokeApiKeyResponse__Output as _tautan_workspaces_v1_RevokeApiKeyResponse__Output } from './tautan/workspaces/v1/RevokeApiKeyResponse.js';
import type { StoredAnswer as _tautan_workspaces_v1_StoredAnswer, StoredAnswer__Output as _tautan_workspaces_v1_StoredAnswer__Output } from './tautan/workspaces/v1/StoredAnswer.js';
import type { VerifiedApiKey as _tautan_workspaces_v1_VerifiedApiKey, VerifiedApiKey__Output as _tautan_workspaces_v1_VerifiedApiKey__Output } from './tautan/workspaces/v1/VerifiedApiKey.js';
import type { VerifyApiKeyRequest as _tautan_workspaces_v1_VerifyApiKeyRequest, VerifyApiKeyRequest__Output as _tautan_workspaces_v1_VerifyApiKeyRequest__Output } from './tautan/workspaces/v1/VerifyApiKeyRequest.js';
import type { Workspace as _tautan_workspaces_v1_Workspace, Workspace__Output as _tautan_workspaces_v1_Workspace__Output } from './tautan/workspaces/v1/Workspace.js';
import type { WorkspacesClient as _tautan_workspaces_v1_WorkspacesClient, WorkspacesDefinition as _tautan_workspaces_v1_WorkspacesDefinition } from './tautan/workspaces/v1/Workspaces.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    workspaces: {
      v1: {
        ApiKeys: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_ApiKeysClient> & { service: _tautan_workspaces_v1_ApiKeysDefinition }
        BeginRequestRequest: MessageTypeDefinition<_tautan_workspaces_v1_BeginRequestRequest, _tautan_workspaces_v1_BeginRequestRequest__Output>
        BeginRequestResponse: MessageTypeDefinition<_tautan_workspaces_v1_BeginRequestResponse, _tautan_workspaces_v1_BeginRequestResponse__Output>
        CompleteRequestRequest: MessageTypeDefinition<_tautan_workspaces_v1_CompleteRequestRequest, _tautan_workspaces_v1_CompleteRequestRequest__Output>
        CompleteRequestResponse: MessageTypeDefinition<_tautan_workspaces_v1_CompleteRequestResponse, _tautan_workspaces_v1_CompleteRequestResponse__Output>
        CreateWorkspaceRequest: MessageTypeDefinition<_tautan_workspaces_v1_CreateWorkspaceRequest, _tautan_workspaces_v1_CreateWorkspaceRequest__Output>
        GetWorkspaceRequest: MessageTypeDefinition<_tautan_workspaces_v1_GetWorkspaceRequest, _tautan_workspaces_v1_GetWorkspaceRequest__Output>
        Idempotency: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_IdempotencyClient> & { service: _tautan_workspaces_v1_IdempotencyDefinition }
        MintApiKeyRequest: MessageTypeDefinition<_tautan_workspaces_v1_MintApiKeyRequest, _tautan_workspaces_v1_MintApiKeyRequest__Output>
        MintedApiKey: MessageTypeDefinition<_tautan_workspaces_v1_MintedApiKey, _tautan_workspaces_v1_MintedApiKey__Output>
        ReleaseRequestRequest: MessageTypeDefinition<_tautan_workspaces_v1_ReleaseRequestRequest, _tautan_workspaces_v1_ReleaseRequestRequest__Output>
        ReleaseRequestResponse: MessageTypeDefinition<_tautan_workspaces_v1_ReleaseRequestResponse, _tautan_workspaces_v1_ReleaseRequestResponse__Output>
        RevokeApiKeyRequest: MessageTypeDefinition<_tautan_workspaces_v1_RevokeApiKeyRequest, _tautan_workspaces_v1_RevokeApiKeyRequest__Output>
        RevokeApiKeyResponse: MessageTypeDefinition<_tautan_workspaces_v1_RevokeApiKeyResponse, _tautan_workspaces_v1_RevokeApiKeyResponse__Output>
        StoredAnswer: MessageTypeDefinition<_tautan_workspaces_v1_StoredAnswer, _tautan_workspaces_v1_StoredAnswer__Output>
        VerifiedApiKey: MessageTypeDefinition<_tautan_workspaces_v1_VerifiedApiKey, _tautan_workspaces_v1_VerifiedApiKey__Output>
        VerifyApiKeyRequest: MessageTypeDefinition<_tautan_workspaces_v1_VerifyApiKeyRequest, _tautan_workspaces_v1_VerifyApiKeyRequest__Output>
        Workspace: MessageTypeDefinition<_tautan_workspaces_v1_Workspace, _tautan_workspaces_v1_Workspace__Output>
        Workspaces: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_WorkspacesClient> & { service: _tautan_workspaces_v1_WorkspacesDefinition }
      }
    }
  }
}

