// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ChangeMemberRoleRequest as _tautan_workspaces_v1_ChangeMemberRoleRequest, ChangeMemberRoleRequest__Output as _tautan_workspaces_v1_ChangeMemberRoleRequest__Output } from '../../../tautan/workspaces/v1/ChangeMemberRoleRequest.js';
import type { InviteMemberRequest as _tautan_workspaces_v1_InviteMemberRequest, InviteMemberRequest__Output as _tautan_workspaces_v1_InviteMemberRequest__Output } from '../../../tautan/workspaces/v1/InviteMemberRequest.js';
import type { ListMembersRequest as _tautan_workspaces_v1_ListMembersRequest, ListMembersRequest__Output as _tautan_workspaces_v1_ListMembersRequest__Output } from '../../../tautan/workspaces/v1/ListMembersRequest.js';
import type { ListMembersResponse as _tautan_workspaces_v1_ListMembersResponse, ListMembersResponse__Output as _tautan_workspaces_v1_ListMembersResponse__Output } from '../../../tautan/workspaces/v1/ListMembersResponse.js';
import type { Member as _tautan_workspaces_v1_Member, Member__Output as _tautan_workspaces_v1_Member__Output } from '../../../tautan/workspaces/v1/Member.js';
import type { RemoveMemberRequest as _tautan_workspaces_v1_RemoveMemberRequest, RemoveMemberRequest__Output as _tautan_workspaces_v1_RemoveMemberRequest__Output } from '../../../tautan/workspaces/v1/RemoveMemberRequest.js';
import type { RemoveMemberResponse as _tautan_workspaces_v1_RemoveMemberResponse, RemoveMemberResponse__Output as _tautan_workspaces_v1_RemoveMemberResponse__Output } from '../../../tautan/workspaces/v1/RemoveMemberResponse.js';

export interface MembersClient extends grpc.Client {
  ChangeMemberRole(argument: _tautan_workspaces_v1_ChangeMemberRoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  ChangeMemberRole(argument: _tautan_workspaces_v1_ChangeMemberRoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  ChangeMemberRole(argument: _tautan_workspaces_v1_ChangeMemberRoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  ChangeMemberRole(argument: _tautan_workspaces_v1_ChangeMemberRoleRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  changeMemberRole(argument: _tautan_workspaces_v1_ChangeMemberRoleRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  changeMemberRole(argument: _tautan_workspaces_v1_ChangeMemberRoleRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  changeMemberRole(argument: _tautan_workspaces_v1_ChangeMemberRoleRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  changeMemberRole(argument: _tautan_workspaces_v1_ChangeMemberRoleRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  
  InviteMember(argument: _tautan_workspaces_v1_InviteMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  InviteMember(argument: _tautan_workspaces_v1_InviteMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  InviteMember(argument: _tautan_workspaces_v1_InviteMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  InviteMember(argument: _tautan_workspaces_v1_InviteMemberRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  inviteMember(argument: _tautan_workspaces_v1_InviteMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  inviteMember(argument: _tautan_workspaces_v1_InviteMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  inviteMember(argument: _tautan_workspaces_v1_InviteMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  inviteMember(argument: _tautan_workspaces_v1_InviteMemberRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Member__Output>): grpc.ClientUnaryCall;
  
  ListMembers(argument: _tautan_workspaces_v1_ListMembersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _tautan_workspaces_v1_ListMembersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _tautan_workspaces_v1_ListMembersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  ListMembers(argument: _tautan_workspaces_v1_ListMembersRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _tautan_workspaces_v1_ListMembersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _tautan_workspaces_v1_ListMembersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _tautan_workspaces_v1_ListMembersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  listMembers(argument: _tautan_workspaces_v1_ListMembersRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListMembersResponse__Output>): grpc.ClientUnaryCall;
  
  RemoveMember(argument: _tautan_workspaces_v1_RemoveMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _tautan_workspaces_v1_RemoveMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _tautan_workspaces_v1_RemoveMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  RemoveMember(argument: _tautan_workspaces_v1_RemoveMemberRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _tautan_workspaces_v1_RemoveMemberRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _tautan_workspaces_v1_RemoveMemberRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _tautan_workspaces_v1_RemoveMemberRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  removeMember(argument: _tautan_workspaces_v1_RemoveMemberRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RemoveMemberResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface MembersHandlers extends grpc.UntypedServiceImplementation {
  ChangeMemberRole: grpc.handleUnaryCall<_tautan_workspaces_v1_ChangeMemberRoleRequest__Output, _tautan_workspaces_v1_Member>;
  
  InviteMember: grpc.handleUnaryCall<_tautan_workspaces_v1_InviteMemberRequest__Output, _tautan_workspaces_v1_Member>;
  
  ListMembers: grpc.handleUnaryCall<_tautan_workspaces_v1_ListMembersRequest__Output, _tautan_workspaces_v1_ListMembersResponse>;
  
  RemoveMember: grpc.handleUnaryCall<_tautan_workspaces_v1_RemoveMemberRequest__Output, _tautan_workspaces_v1_RemoveMemberResponse>;
  
}

export interface MembersDefinition extends grpc.ServiceDefinition {
  ChangeMemberRole: MethodDefinition<_tautan_workspaces_v1_ChangeMemberRoleRequest, _tautan_workspaces_v1_Member, _tautan_workspaces_v1_ChangeMemberRoleRequest__Output, _tautan_workspaces_v1_Member__Output>
  InviteMember: MethodDefinition<_tautan_workspaces_v1_InviteMemberRequest, _tautan_workspaces_v1_Member, _tautan_workspaces_v1_InviteMemberRequest__Output, _tautan_workspaces_v1_Member__Output>
  ListMembers: MethodDefinition<_tautan_workspaces_v1_ListMembersRequest, _tautan_workspaces_v1_ListMembersResponse, _tautan_workspaces_v1_ListMembersRequest__Output, _tautan_workspaces_v1_ListMembersResponse__Output>
  RemoveMember: MethodDefinition<_tautan_workspaces_v1_RemoveMemberRequest, _tautan_workspaces_v1_RemoveMemberResponse, _tautan_workspaces_v1_RemoveMemberRequest__Output, _tautan_workspaces_v1_RemoveMemberResponse__Output>
}
