import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { ApiKey as _tautan_workspaces_v1_ApiKey, ApiKey__Output as _tautan_workspaces_v1_ApiKey__Output } from './tautan/workspaces/v1/ApiKey.js';
import type { ApiKeysClient as _tautan_workspaces_v1_ApiKeysClient, ApiKeysDefinition as _tautan_workspaces_v1_ApiKeysDefinition } from './tautan/workspaces/v1/ApiKeys.js';
import type { AuditClient as _tautan_workspaces_v1_AuditClient, AuditDefinition as _tautan_workspaces_v1_AuditDefinition } from './tautan/workspaces/v1/Audit.js';
import type { AuditEntry as _tautan_workspaces_v1_AuditEntry, AuditEntry__Output as _tautan_workspaces_v1_AuditEntry__Output } from './tautan/workspaces/v1/AuditEntry.js';
import type { AuditVerdict as _tautan_workspaces_v1_AuditVerdict, AuditVerdict__Output as _tautan_workspaces_v1_AuditVerdict__Output } from './tautan/workspaces/v1/AuditVerdict.js';
import type { AuthenticateUserRequest as _tautan_workspaces_v1_AuthenticateUserRequest, AuthenticateUserRequest__Output as _tautan_workspaces_v1_AuthenticateUserRequest__Output } from './tautan/workspaces/v1/AuthenticateUserRequest.js';
import type { AuthenticatedUser as _tautan_workspaces_v1_AuthenticatedUser, AuthenticatedUser__Output as _tautan_workspaces_v1_AuthenticatedUser__Output } from './tautan/workspaces/v1/AuthenticatedUser.js';
import type { BeginLoginRequest as _tautan_workspaces_v1_BeginLoginRequest, BeginLoginRequest__Output as _tautan_workspaces_v1_BeginLoginRequest__Output } from './tautan/workspaces/v1/BeginLoginRequest.js';
import type { BeginRequestRequest as _tautan_workspaces_v1_BeginRequestRequest, BeginRequestRequest__Output as _tautan_workspaces_v1_BeginRequestRequest__Output } from './tautan/workspaces/v1/BeginRequestRequest.js';
import type { BeginRequestResponse as _tautan_workspaces_v1_BeginRequestResponse, BeginRequestResponse__Output as _tautan_workspaces_v1_BeginRequestResponse__Output } from './tautan/workspaces/v1/BeginRequestResponse.js';
import type { BegunLogin as _tautan_workspaces_v1_BegunLogin, BegunLogin__Output as _tautan_workspaces_v1_BegunLogin__Output } from './tautan/workspaces/v1/BegunLogin.js';
import type { BrokenAuditEntry as _tautan_workspaces_v1_BrokenAuditEntry, BrokenAuditEntry__Output as _tautan_workspaces_v1_BrokenAuditEntry__Output } from './tautan/workspaces/v1/BrokenAuditEntry.js';
import type { ChangeMemberRoleRequest as _tautan_workspaces_v1_ChangeMemberRoleRequest, ChangeMemberRoleRequest__Output as _tautan_workspaces_v1_ChangeMemberRoleRequest__Output } from './tautan/workspaces/v1/ChangeMemberRoleRequest.js';
import type { CompleteRequestRequest as _tautan_workspaces_v1_CompleteRequestRequest, CompleteRequestRequest__Output as _tautan_workspaces_v1_CompleteRequestRequest__Output } from './tautan/workspaces/v1/CompleteRequestRequest.js';
import type { CompleteRequestResponse as _tautan_workspaces_v1_CompleteRequestResponse, CompleteRequestResponse__Output as _tautan_workspaces_v1_CompleteRequestResponse__Output } from './tautan/workspaces/v1/CompleteRequestResponse.js';
import type { CreateOwnWorkspaceRequest as _tautan_workspaces_v1_CreateOwnWorkspaceRequest, CreateOwnWorkspaceRequest__Output as _tautan_workspaces_v1_CreateOwnWorkspaceRequest__Output } from './tautan/workspaces/v1/CreateOwnWorkspaceRequest.js';
import type { CreateWorkspaceRequest as _tautan_workspaces_v1_CreateWorkspaceRequest, CreateWorkspaceRequest__Output as _tautan_workspaces_v1_CreateWorkspaceRequest__Output } from './tautan/workspaces/v1/CreateWorkspaceRequest.js';
import type { EndSessionRequest as _tautan_workspaces_v1_EndSessionRequest, EndSessionRequest__Output as _tautan_workspaces_v1_EndSessionRequest__Output } from './tautan/workspaces/v1/EndSessionRequest.js';
import type { EndSessionResponse as _tautan_workspaces_v1_EndSessionResponse, EndSessionResponse__Output as _tautan_workspaces_v1_EndSessionResponse__Output } from './tautan/workspaces/v1/EndSessionResponse.js';
import type { FinishLoginRequest as _tautan_workspaces_v1_FinishLoginRequest, FinishLoginRequest__Output as _tautan_workspaces_v1_FinishLoginRequest__Output } from './tautan/workspaces/v1/FinishLoginRequest.js';
import type { ForgotPasswordRequest as _tautan_workspaces_v1_ForgotPasswordRequest, ForgotPasswordRequest__Output as _tautan_workspaces_v1_ForgotPasswordRequest__Output } from './tautan/workspaces/v1/ForgotPasswordRequest.js';
import type { ForgotPasswordResponse as _tautan_workspaces_v1_ForgotPasswordResponse, ForgotPasswordResponse__Output as _tautan_workspaces_v1_ForgotPasswordResponse__Output } from './tautan/workspaces/v1/ForgotPasswordResponse.js';
import type { GetConfigurationRequest as _tautan_workspaces_v1_GetConfigurationRequest, GetConfigurationRequest__Output as _tautan_workspaces_v1_GetConfigurationRequest__Output } from './tautan/workspaces/v1/GetConfigurationRequest.js';
import type { GetWorkspaceRequest as _tautan_workspaces_v1_GetWorkspaceRequest, GetWorkspaceRequest__Output as _tautan_workspaces_v1_GetWorkspaceRequest__Output } from './tautan/workspaces/v1/GetWorkspaceRequest.js';
import type { IdempotencyClient as _tautan_workspaces_v1_IdempotencyClient, IdempotencyDefinition as _tautan_workspaces_v1_IdempotencyDefinition } from './tautan/workspaces/v1/Idempotency.js';
import type { IdentityClient as _tautan_workspaces_v1_IdentityClient, IdentityDefinition as _tautan_workspaces_v1_IdentityDefinition } from './tautan/workspaces/v1/Identity.js';
import type { IdentityConfiguration as _tautan_workspaces_v1_IdentityConfiguration, IdentityConfiguration__Output as _tautan_workspaces_v1_IdentityConfiguration__Output } from './tautan/workspaces/v1/IdentityConfiguration.js';
import type { InviteMemberRequest as _tautan_workspaces_v1_InviteMemberRequest, InviteMemberRequest__Output as _tautan_workspaces_v1_InviteMemberRequest__Output } from './tautan/workspaces/v1/InviteMemberRequest.js';
import type { ListAllWorkspacesRequest as _tautan_workspaces_v1_ListAllWorkspacesRequest, ListAllWorkspacesRequest__Output as _tautan_workspaces_v1_ListAllWorkspacesRequest__Output } from './tautan/workspaces/v1/ListAllWorkspacesRequest.js';
import type { ListAllWorkspacesResponse as _tautan_workspaces_v1_ListAllWorkspacesResponse, ListAllWorkspacesResponse__Output as _tautan_workspaces_v1_ListAllWorkspacesResponse__Output } from './tautan/workspaces/v1/ListAllWorkspacesResponse.js';
import type { ListApiKeysRequest as _tautan_workspaces_v1_ListApiKeysRequest, ListApiKeysRequest__Output as _tautan_workspaces_v1_ListApiKeysRequest__Output } from './tautan/workspaces/v1/ListApiKeysRequest.js';
import type { ListApiKeysResponse as _tautan_workspaces_v1_ListApiKeysResponse, ListApiKeysResponse__Output as _tautan_workspaces_v1_ListApiKeysResponse__Output } from './tautan/workspaces/v1/ListApiKeysResponse.js';
import type { ListAuditLogRequest as _tautan_workspaces_v1_ListAuditLogRequest, ListAuditLogRequest__Output as _tautan_workspaces_v1_ListAuditLogRequest__Output } from './tautan/workspaces/v1/ListAuditLogRequest.js';
import type { ListAuditLogResponse as _tautan_workspaces_v1_ListAuditLogResponse, ListAuditLogResponse__Output as _tautan_workspaces_v1_ListAuditLogResponse__Output } from './tautan/workspaces/v1/ListAuditLogResponse.js';
import type { ListMembersRequest as _tautan_workspaces_v1_ListMembersRequest, ListMembersRequest__Output as _tautan_workspaces_v1_ListMembersRequest__Output } from './tautan/workspaces/v1/ListMembersRequest.js';
import type { ListMembersResponse as _tautan_workspaces_v1_ListMembersResponse, ListMembersResponse__Output as _tautan_workspaces_v1_ListMembersResponse__Output } from './tautan/workspaces/v1/ListMembersResponse.js';
import type { ListSessionsRequest as _tautan_workspaces_v1_ListSessionsRequest, ListSessionsRequest__Output as _tautan_workspaces_v1_ListSessionsRequest__Output } from './tautan/workspaces/v1/ListSessionsRequest.js';
import type { ListSessionsResponse as _tautan_workspaces_v1_ListSessionsResponse, ListSessionsResponse__Output as _tautan_workspaces_v1_ListSessionsResponse__Output } from './tautan/workspaces/v1/ListSessionsResponse.js';
import type { ListWorkspaceKeysRequest as _tautan_workspaces_v1_ListWorkspaceKeysRequest, ListWorkspaceKeysRequest__Output as _tautan_workspaces_v1_ListWorkspaceKeysRequest__Output } from './tautan/workspaces/v1/ListWorkspaceKeysRequest.js';
import type { ListWorkspacesRequest as _tautan_workspaces_v1_ListWorkspacesRequest, ListWorkspacesRequest__Output as _tautan_workspaces_v1_ListWorkspacesRequest__Output } from './tautan/workspaces/v1/ListWorkspacesRequest.js';
import type { ListWorkspacesResponse as _tautan_workspaces_v1_ListWorkspacesResponse, ListWorkspacesResponse__Output as _tautan_workspaces_v1_ListWorkspacesResponse__Output } from './tautan/workspaces/v1/ListWorkspacesResponse.js';
import type { Member as _tautan_workspaces_v1_Member, Member__Output as _tautan_workspaces_v1_Member__Output } from './tautan/workspaces/v1/Member.js';
import type { MembersClient as _tautan_workspaces_v1_MembersClient, MembersDefinition as _tautan_workspaces_v1_MembersDefinition } from './tautan/workspaces/v1/Members.js';
import type { MintApiKeyRequest as _tautan_workspaces_v1_MintApiKeyRequest, MintApiKeyRequest__Output as _tautan_workspaces_v1_MintApiKeyRequest__Output } from './tautan/workspaces/v1/MintApiKeyRequest.js';
import type { MintedApiKey as _tautan_workspaces_v1_MintedApiKey, MintedApiKey__Output as _tautan_workspaces_v1_MintedApiKey__Output } from './tautan/workspaces/v1/MintedApiKey.js';
import type { OpenedSession as _tautan_workspaces_v1_OpenedSession, OpenedSession__Output as _tautan_workspaces_v1_OpenedSession__Output } from './tautan/workspaces/v1/OpenedSession.js';
import type { OperatorWorkspace as _tautan_workspaces_v1_OperatorWorkspace, OperatorWorkspace__Output as _tautan_workspaces_v1_OperatorWorkspace__Output } from './tautan/workspaces/v1/OperatorWorkspace.js';
import type { PasswordLoginRequest as _tautan_workspaces_v1_PasswordLoginRequest, PasswordLoginRequest__Output as _tautan_workspaces_v1_PasswordLoginRequest__Output } from './tautan/workspaces/v1/PasswordLoginRequest.js';
import type { RefreshSessionRequest as _tautan_workspaces_v1_RefreshSessionRequest, RefreshSessionRequest__Output as _tautan_workspaces_v1_RefreshSessionRequest__Output } from './tautan/workspaces/v1/RefreshSessionRequest.js';
import type { ReleaseInstanceResponse as _tautan_workspaces_v1_ReleaseInstanceResponse, ReleaseInstanceResponse__Output as _tautan_workspaces_v1_ReleaseInstanceResponse__Output } from './tautan/workspaces/v1/ReleaseInstanceResponse.js';
import type { ReleaseRequestRequest as _tautan_workspaces_v1_ReleaseRequestRequest, ReleaseRequestRequest__Output as _tautan_workspaces_v1_ReleaseRequestRequest__Output } from './tautan/workspaces/v1/ReleaseRequestRequest.js';
import type { ReleaseRequestResponse as _tautan_workspaces_v1_ReleaseRequestResponse, ReleaseRequestResponse__Output as _tautan_workspaces_v1_ReleaseRequestResponse__Output } from './tautan/workspaces/v1/ReleaseRequestResponse.js';
import type { RemoveMemberRequest as _tautan_workspaces_v1_RemoveMemberRequest, RemoveMemberRequest__Output as _tautan_workspaces_v1_RemoveMemberRequest__Output } from './tautan/workspaces/v1/RemoveMemberRequest.js';
import type { RemoveMemberResponse as _tautan_workspaces_v1_RemoveMemberResponse, RemoveMemberResponse__Output as _tautan_workspaces_v1_RemoveMemberResponse__Output } from './tautan/workspaces/v1/RemoveMemberResponse.js';
import type { RenewRequestsRequest as _tautan_workspaces_v1_RenewRequestsRequest, RenewRequestsRequest__Output as _tautan_workspaces_v1_RenewRequestsRequest__Output } from './tautan/workspaces/v1/RenewRequestsRequest.js';
import type { RenewRequestsResponse as _tautan_workspaces_v1_RenewRequestsResponse, RenewRequestsResponse__Output as _tautan_workspaces_v1_RenewRequestsResponse__Output } from './tautan/workspaces/v1/RenewRequestsResponse.js';
import type { RequestHolder as _tautan_workspaces_v1_RequestHolder, RequestHolder__Output as _tautan_workspaces_v1_RequestHolder__Output } from './tautan/workspaces/v1/RequestHolder.js';
import type { RevokeApiKeyRequest as _tautan_workspaces_v1_RevokeApiKeyRequest, RevokeApiKeyRequest__Output as _tautan_workspaces_v1_RevokeApiKeyRequest__Output } from './tautan/workspaces/v1/RevokeApiKeyRequest.js';
import type { RevokeApiKeyResponse as _tautan_workspaces_v1_RevokeApiKeyResponse, RevokeApiKeyResponse__Output as _tautan_workspaces_v1_RevokeApiKeyResponse__Output } from './tautan/workspaces/v1/RevokeApiKeyResponse.js';
import type { RevokeOtherSessionsRequest as _tautan_workspaces_v1_RevokeOtherSessionsRequest, RevokeOtherSessionsRequest__Output as _tautan_workspaces_v1_RevokeOtherSessionsRequest__Output } from './tautan/workspaces/v1/RevokeOtherSessionsRequest.js';
import type { RevokeOtherSessionsResponse as _tautan_workspaces_v1_RevokeOtherSessionsResponse, RevokeOtherSessionsResponse__Output as _tautan_workspaces_v1_RevokeOtherSessionsResponse__Output } from './tautan/workspaces/v1/RevokeOtherSessionsResponse.js';
import type { RevokeSessionRequest as _tautan_workspaces_v1_RevokeSessionRequest, RevokeSessionRequest__Output as _tautan_workspaces_v1_RevokeSessionRequest__Output } from './tautan/workspaces/v1/RevokeSessionRequest.js';
import type { RevokeSessionResponse as _tautan_workspaces_v1_RevokeSessionResponse, RevokeSessionResponse__Output as _tautan_workspaces_v1_RevokeSessionResponse__Output } from './tautan/workspaces/v1/RevokeSessionResponse.js';
import type { Session as _tautan_workspaces_v1_Session, Session__Output as _tautan_workspaces_v1_Session__Output } from './tautan/workspaces/v1/Session.js';
import type { SessionsClient as _tautan_workspaces_v1_SessionsClient, SessionsDefinition as _tautan_workspaces_v1_SessionsDefinition } from './tautan/workspaces/v1/Sessions.js';
import type { SetPlanRequest as _tautan_workspaces_v1_SetPlanRequest, SetPlanRequest__Output as _tautan_workspaces_v1_SetPlanRequest__Output } from './tautan/workspaces/v1/SetPlanRequest.js';
import type { SignInClient as _tautan_workspaces_v1_SignInClient, SignInClient__Output as _tautan_workspaces_v1_SignInClient__Output } from './tautan/workspaces/v1/SignInClient.js';
import type { SignUpRequest as _tautan_workspaces_v1_SignUpRequest, SignUpRequest__Output as _tautan_workspaces_v1_SignUpRequest__Output } from './tautan/workspaces/v1/SignUpRequest.js';
import type { StoredAnswer as _tautan_workspaces_v1_StoredAnswer, StoredAnswer__Output as _tautan_workspaces_v1_StoredAnswer__Output } from './tautan/workspaces/v1/StoredAnswer.js';
import type { SwitchWorkspaceRequest as _tautan_workspaces_v1_SwitchWorkspaceRequest, SwitchWorkspaceRequest__Output as _tautan_workspaces_v1_SwitchWorkspaceRequest__Output } from './tautan/workspaces/v1/SwitchWorkspaceRequest.js';
import type { UpdateWorkspaceRequest as _tautan_workspaces_v1_UpdateWorkspaceRequest, UpdateWorkspaceRequest__Output as _tautan_workspaces_v1_UpdateWorkspaceRequest__Output } from './tautan/workspaces/v1/UpdateWorkspaceRequest.js';
import type { VerifiedApiKey as _tautan_workspaces_v1_VerifiedApiKey, VerifiedApiKey__Output as _tautan_workspaces_v1_VerifiedApiKey__Output } from './tautan/workspaces/v1/VerifiedApiKey.js';
import type { VerifyApiKeyRequest as _tautan_workspaces_v1_VerifyApiKeyRequest, VerifyApiKeyRequest__Output as _tautan_workspaces_v1_VerifyApiKeyRequest__Output } from './tautan/workspaces/v1/VerifyApiKeyRequest.js';
import type { VerifyAuditLogRequest as _tautan_workspaces_v1_VerifyAuditLogRequest, VerifyAuditLogRequest__Output as _tautan_workspaces_v1_VerifyAuditLogRequest__Output } from './tautan/workspaces/v1/VerifyAuditLogRequest.js';
import type { Workspace as _tautan_workspaces_v1_Workspace, Workspace__Output as _tautan_workspaces_v1_Workspace__Output } from './tautan/workspaces/v1/Workspace.js';
import type { WorkspaceOperatorClient as _tautan_workspaces_v1_WorkspaceOperatorClient, WorkspaceOperatorDefinition as _tautan_workspaces_v1_WorkspaceOperatorDefinition } from './tautan/workspaces/v1/WorkspaceOperator.js';
import type { WorkspaceOwner as _tautan_workspaces_v1_WorkspaceOwner, WorkspaceOwner__Output as _tautan_workspaces_v1_WorkspaceOwner__Output } from './tautan/workspaces/v1/WorkspaceOwner.js';
import type { WorkspacesClient as _tautan_workspaces_v1_WorkspacesClient, WorkspacesDefinition as _tautan_workspaces_v1_WorkspacesDefinition } from './tautan/workspaces/v1/Workspaces.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    workspaces: {
      v1: {
        ApiKey: MessageTypeDefinition<_tautan_workspaces_v1_ApiKey, _tautan_workspaces_v1_ApiKey__Output>
        ApiKeys: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_ApiKeysClient> & { service: _tautan_workspaces_v1_ApiKeysDefinition }
        Audit: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_AuditClient> & { service: _tautan_workspaces_v1_AuditDefinition }
        AuditEntry: MessageTypeDefinition<_tautan_workspaces_v1_AuditEntry, _tautan_workspaces_v1_AuditEntry__Output>
        AuditVerdict: MessageTypeDefinition<_tautan_workspaces_v1_AuditVerdict, _tautan_workspaces_v1_AuditVerdict__Output>
        AuthenticateUserRequest: MessageTypeDefinition<_tautan_workspaces_v1_AuthenticateUserRequest, _tautan_workspaces_v1_AuthenticateUserRequest__Output>
        AuthenticatedUser: MessageTypeDefinition<_tautan_workspaces_v1_AuthenticatedUser, _tautan_workspaces_v1_AuthenticatedUser__Output>
        BeginLoginRequest: MessageTypeDefinition<_tautan_workspaces_v1_BeginLoginRequest, _tautan_workspaces_v1_BeginLoginRequest__Output>
        BeginRequestRequest: MessageTypeDefinition<_tautan_workspaces_v1_BeginRequestRequest, _tautan_workspaces_v1_BeginRequestRequest__Output>
        BeginRequestResponse: MessageTypeDefinition<_tautan_workspaces_v1_BeginRequestResponse, _tautan_workspaces_v1_BeginRequestResponse__Output>
        BegunLogin: MessageTypeDefinition<_tautan_workspaces_v1_BegunLogin, _tautan_workspaces_v1_BegunLogin__Output>
        BrokenAuditEntry: MessageTypeDefinition<_tautan_workspaces_v1_BrokenAuditEntry, _tautan_workspaces_v1_BrokenAuditEntry__Output>
        ChangeMemberRoleRequest: MessageTypeDefinition<_tautan_workspaces_v1_ChangeMemberRoleRequest, _tautan_workspaces_v1_ChangeMemberRoleRequest__Output>
        CompleteRequestRequest: MessageTypeDefinition<_tautan_workspaces_v1_CompleteRequestRequest, _tautan_workspaces_v1_CompleteRequestRequest__Output>
        CompleteRequestResponse: MessageTypeDefinition<_tautan_workspaces_v1_CompleteRequestResponse, _tautan_workspaces_v1_CompleteRequestResponse__Output>
        CreateOwnWorkspaceRequest: MessageTypeDefinition<_tautan_workspaces_v1_CreateOwnWorkspaceRequest, _tautan_workspaces_v1_CreateOwnWorkspaceRequest__Output>
        CreateWorkspaceRequest: MessageTypeDefinition<_tautan_workspaces_v1_CreateWorkspaceRequest, _tautan_workspaces_v1_CreateWorkspaceRequest__Output>
        EndSessionRequest: MessageTypeDefinition<_tautan_workspaces_v1_EndSessionRequest, _tautan_workspaces_v1_EndSessionRequest__Output>
        EndSessionResponse: MessageTypeDefinition<_tautan_workspaces_v1_EndSessionResponse, _tautan_workspaces_v1_EndSessionResponse__Output>
        FinishLoginRequest: MessageTypeDefinition<_tautan_workspaces_v1_FinishLoginRequest, _tautan_workspaces_v1_FinishLoginRequest__Output>
        ForgotPasswordRequest: MessageTypeDefinition<_tautan_workspaces_v1_ForgotPasswordRequest, _tautan_workspaces_v1_ForgotPasswordRequest__Output>
        ForgotPasswordResponse: MessageTypeDefinition<_tautan_workspaces_v1_ForgotPasswordResponse, _tautan_workspaces_v1_ForgotPasswordResponse__Output>
        GetConfigurationRequest: MessageTypeDefinition<_tautan_workspaces_v1_GetConfigurationRequest, _tautan_workspaces_v1_GetConfigurationRequest__Output>
        GetWorkspaceRequest: MessageTypeDefinition<_tautan_workspaces_v1_GetWorkspaceRequest, _tautan_workspaces_v1_GetWorkspaceRequest__Output>
        Idempotency: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_IdempotencyClient> & { service: _tautan_workspaces_v1_IdempotencyDefinition }
        Identity: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_IdentityClient> & { service: _tautan_workspaces_v1_IdentityDefinition }
        IdentityConfiguration: MessageTypeDefinition<_tautan_workspaces_v1_IdentityConfiguration, _tautan_workspaces_v1_IdentityConfiguration__Output>
        InviteMemberRequest: MessageTypeDefinition<_tautan_workspaces_v1_InviteMemberRequest, _tautan_workspaces_v1_InviteMemberRequest__Output>
        ListAllWorkspacesRequest: MessageTypeDefinition<_tautan_workspaces_v1_ListAllWorkspacesRequest, _tautan_workspaces_v1_ListAllWorkspacesRequest__Output>
        ListAllWorkspacesResponse: MessageTypeDefinition<_tautan_workspaces_v1_ListAllWorkspacesResponse, _tautan_workspaces_v1_ListAllWorkspacesResponse__Output>
        ListApiKeysRequest: MessageTypeDefinition<_tautan_workspaces_v1_ListApiKeysRequest, _tautan_workspaces_v1_ListApiKeysRequest__Output>
        ListApiKeysResponse: MessageTypeDefinition<_tautan_workspaces_v1_ListApiKeysResponse, _tautan_workspaces_v1_ListApiKeysResponse__Output>
        ListAuditLogRequest: MessageTypeDefinition<_tautan_workspaces_v1_ListAuditLogRequest, _tautan_workspaces_v1_ListAuditLogRequest__Output>
        ListAuditLogResponse: MessageTypeDefinition<_tautan_workspaces_v1_ListAuditLogResponse, _tautan_workspaces_v1_ListAuditLogResponse__Output>
        ListMembersRequest: MessageTypeDefinition<_tautan_workspaces_v1_ListMembersRequest, _tautan_workspaces_v1_ListMembersRequest__Output>
        ListMembersResponse: MessageTypeDefinition<_tautan_workspaces_v1_ListMembersResponse, _tautan_workspaces_v1_ListMembersResponse__Output>
        ListSessionsRequest: MessageTypeDefinition<_tautan_workspaces_v1_ListSessionsRequest, _tautan_workspaces_v1_ListSessionsRequest__Output>
        ListSessionsResponse: MessageTypeDefinition<_tautan_workspaces_v1_ListSessionsResponse, _tautan_workspaces_v1_ListSessionsResponse__Output>
        ListWorkspaceKeysRequest: MessageTypeDefinition<_tautan_workspaces_v1_ListWorkspaceKeysRequest, _tautan_workspaces_v1_ListWorkspaceKeysRequest__Output>
        ListWorkspacesRequest: MessageTypeDefinition<_tautan_workspaces_v1_ListWorkspacesRequest, _tautan_workspaces_v1_ListWorkspacesRequest__Output>
        ListWorkspacesResponse: MessageTypeDefinition<_tautan_workspaces_v1_ListWorkspacesResponse, _tautan_workspaces_v1_ListWorkspacesResponse__Output>
        Member: MessageTypeDefinition<_tautan_workspaces_v1_Member, _tautan_workspaces_v1_Member__Output>
        Members: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_MembersClient> & { service: _tautan_workspaces_v1_MembersDefinition }
        MintApiKeyRequest: MessageTypeDefinition<_tautan_workspaces_v1_MintApiKeyRequest, _tautan_workspaces_v1_MintApiKeyRequest__Output>
        MintedApiKey: MessageTypeDefinition<_tautan_workspaces_v1_MintedApiKey, _tautan_workspaces_v1_MintedApiKey__Output>
        OpenedSession: MessageTypeDefinition<_tautan_workspaces_v1_OpenedSession, _tautan_workspaces_v1_OpenedSession__Output>
        OperatorWorkspace: MessageTypeDefinition<_tautan_workspaces_v1_OperatorWorkspace, _tautan_workspaces_v1_OperatorWorkspace__Output>
        PasswordLoginRequest: MessageTypeDefinition<_tautan_workspaces_v1_PasswordLoginRequest, _tautan_workspaces_v1_PasswordLoginRequest__Output>
        RefreshSessionRequest: MessageTypeDefinition<_tautan_workspaces_v1_RefreshSessionRequest, _tautan_workspaces_v1_RefreshSessionRequest__Output>
        ReleaseInstanceResponse: MessageTypeDefinition<_tautan_workspaces_v1_ReleaseInstanceResponse, _tautan_workspaces_v1_ReleaseInstanceResponse__Output>
        ReleaseRequestRequest: MessageTypeDefinition<_tautan_workspaces_v1_ReleaseRequestRequest, _tautan_workspaces_v1_ReleaseRequestRequest__Output>
        ReleaseRequestResponse: MessageTypeDefinition<_tautan_workspaces_v1_ReleaseRequestResponse, _tautan_workspaces_v1_ReleaseRequestResponse__Output>
        RemoveMemberRequest: MessageTypeDefinition<_tautan_workspaces_v1_RemoveMemberRequest, _tautan_workspaces_v1_RemoveMemberRequest__Output>
        RemoveMemberResponse: MessageTypeDefinition<_tautan_workspaces_v1_RemoveMemberResponse, _tautan_workspaces_v1_RemoveMemberResponse__Output>
        RenewRequestsRequest: MessageTypeDefinition<_tautan_workspaces_v1_RenewRequestsRequest, _tautan_workspaces_v1_RenewRequestsRequest__Output>
        RenewRequestsResponse: MessageTypeDefinition<_tautan_workspaces_v1_RenewRequestsResponse, _tautan_workspaces_v1_RenewRequestsResponse__Output>
        RequestHolder: MessageTypeDefinition<_tautan_workspaces_v1_RequestHolder, _tautan_workspaces_v1_RequestHolder__Output>
        RevokeApiKeyRequest: MessageTypeDefinition<_tautan_workspaces_v1_RevokeApiKeyRequest, _tautan_workspaces_v1_RevokeApiKeyRequest__Output>
        RevokeApiKeyResponse: MessageTypeDefinition<_tautan_workspaces_v1_RevokeApiKeyResponse, _tautan_workspaces_v1_RevokeApiKeyResponse__Output>
        RevokeOtherSessionsRequest: MessageTypeDefinition<_tautan_workspaces_v1_RevokeOtherSessionsRequest, _tautan_workspaces_v1_RevokeOtherSessionsRequest__Output>
        RevokeOtherSessionsResponse: MessageTypeDefinition<_tautan_workspaces_v1_RevokeOtherSessionsResponse, _tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>
        RevokeSessionRequest: MessageTypeDefinition<_tautan_workspaces_v1_RevokeSessionRequest, _tautan_workspaces_v1_RevokeSessionRequest__Output>
        RevokeSessionResponse: MessageTypeDefinition<_tautan_workspaces_v1_RevokeSessionResponse, _tautan_workspaces_v1_RevokeSessionResponse__Output>
        Session: MessageTypeDefinition<_tautan_workspaces_v1_Session, _tautan_workspaces_v1_Session__Output>
        Sessions: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_SessionsClient> & { service: _tautan_workspaces_v1_SessionsDefinition }
        SetPlanRequest: MessageTypeDefinition<_tautan_workspaces_v1_SetPlanRequest, _tautan_workspaces_v1_SetPlanRequest__Output>
        SignInClient: MessageTypeDefinition<_tautan_workspaces_v1_SignInClient, _tautan_workspaces_v1_SignInClient__Output>
        SignUpRequest: MessageTypeDefinition<_tautan_workspaces_v1_SignUpRequest, _tautan_workspaces_v1_SignUpRequest__Output>
        StoredAnswer: MessageTypeDefinition<_tautan_workspaces_v1_StoredAnswer, _tautan_workspaces_v1_StoredAnswer__Output>
        SwitchWorkspaceRequest: MessageTypeDefinition<_tautan_workspaces_v1_SwitchWorkspaceRequest, _tautan_workspaces_v1_SwitchWorkspaceRequest__Output>
        UpdateWorkspaceRequest: MessageTypeDefinition<_tautan_workspaces_v1_UpdateWorkspaceRequest, _tautan_workspaces_v1_UpdateWorkspaceRequest__Output>
        VerifiedApiKey: MessageTypeDefinition<_tautan_workspaces_v1_VerifiedApiKey, _tautan_workspaces_v1_VerifiedApiKey__Output>
        VerifyApiKeyRequest: MessageTypeDefinition<_tautan_workspaces_v1_VerifyApiKeyRequest, _tautan_workspaces_v1_VerifyApiKeyRequest__Output>
        VerifyAuditLogRequest: MessageTypeDefinition<_tautan_workspaces_v1_VerifyAuditLogRequest, _tautan_workspaces_v1_VerifyAuditLogRequest__Output>
        Workspace: MessageTypeDefinition<_tautan_workspaces_v1_Workspace, _tautan_workspaces_v1_Workspace__Output>
        WorkspaceOperator: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_WorkspaceOperatorClient> & { service: _tautan_workspaces_v1_WorkspaceOperatorDefinition }
        WorkspaceOwner: MessageTypeDefinition<_tautan_workspaces_v1_WorkspaceOwner, _tautan_workspaces_v1_WorkspaceOwner__Output>
        Workspaces: SubtypeConstructor<typeof grpc.Client, _tautan_workspaces_v1_WorkspacesClient> & { service: _tautan_workspaces_v1_WorkspacesDefinition }
      }
    }
  }
}

