// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AuthenticateUserRequest as _tautan_workspaces_v1_AuthenticateUserRequest, AuthenticateUserRequest__Output as _tautan_workspaces_v1_AuthenticateUserRequest__Output } from '../../../tautan/workspaces/v1/AuthenticateUserRequest.js';
import type { AuthenticatedUser as _tautan_workspaces_v1_AuthenticatedUser, AuthenticatedUser__Output as _tautan_workspaces_v1_AuthenticatedUser__Output } from '../../../tautan/workspaces/v1/AuthenticatedUser.js';
import type { GetConfigurationRequest as _tautan_workspaces_v1_GetConfigurationRequest, GetConfigurationRequest__Output as _tautan_workspaces_v1_GetConfigurationRequest__Output } from '../../../tautan/workspaces/v1/GetConfigurationRequest.js';
import type { IdentityConfiguration as _tautan_workspaces_v1_IdentityConfiguration, IdentityConfiguration__Output as _tautan_workspaces_v1_IdentityConfiguration__Output } from '../../../tautan/workspaces/v1/IdentityConfiguration.js';

export interface IdentityClient extends grpc.Client {
  AuthenticateUser(argument: _tautan_workspaces_v1_AuthenticateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_AuthenticatedUser__Output>): grpc.ClientUnaryCall;
  AuthenticateUser(argument: _tautan_workspaces_v1_AuthenticateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_AuthenticatedUser__Output>): grpc.ClientUnaryCall;
  AuthenticateUser(argument: _tautan_workspaces_v1_AuthenticateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_AuthenticatedUser__Output>): grpc.ClientUnaryCall;
  AuthenticateUser(argument: _tautan_workspaces_v1_AuthenticateUserRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_AuthenticatedUser__Output>): grpc.ClientUnaryCall;
  authenticateUser(argument: _tautan_workspaces_v1_AuthenticateUserRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_AuthenticatedUser__Output>): grpc.ClientUnaryCall;
  authenticateUser(argument: _tautan_workspaces_v1_AuthenticateUserRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_AuthenticatedUser__Output>): grpc.ClientUnaryCall;
  authenticateUser(argument: _tautan_workspaces_v1_AuthenticateUserRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_AuthenticatedUser__Output>): grpc.ClientUnaryCall;
  authenticateUser(argument: _tautan_workspaces_v1_AuthenticateUserRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_AuthenticatedUser__Output>): grpc.ClientUnaryCall;
  
  GetConfiguration(argument: _tautan_workspaces_v1_GetConfigurationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_IdentityConfiguration__Output>): grpc.ClientUnaryCall;
  GetConfiguration(argument: _tautan_workspaces_v1_GetConfigurationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_IdentityConfiguration__Output>): grpc.ClientUnaryCall;
  GetConfiguration(argument: _tautan_workspaces_v1_GetConfigurationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_IdentityConfiguration__Output>): grpc.ClientUnaryCall;
  GetConfiguration(argument: _tautan_workspaces_v1_GetConfigurationRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_IdentityConfiguration__Output>): grpc.ClientUnaryCall;
  getConfiguration(argument: _tautan_workspaces_v1_GetConfigurationRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_IdentityConfiguration__Output>): grpc.ClientUnaryCall;
  getConfiguration(argument: _tautan_workspaces_v1_GetConfigurationRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_IdentityConfiguration__Output>): grpc.ClientUnaryCall;
  getConfiguration(argument: _tautan_workspaces_v1_GetConfigurationRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_IdentityConfiguration__Output>): grpc.ClientUnaryCall;
  getConfiguration(argument: _tautan_workspaces_v1_GetConfigurationRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_IdentityConfiguration__Output>): grpc.ClientUnaryCall;
  
}

export interface IdentityHandlers extends grpc.UntypedServiceImplementation {
  AuthenticateUser: grpc.handleUnaryCall<_tautan_workspaces_v1_AuthenticateUserRequest__Output, _tautan_workspaces_v1_AuthenticatedUser>;
  
  GetConfiguration: grpc.handleUnaryCall<_tautan_workspaces_v1_GetConfigurationRequest__Output, _tautan_workspaces_v1_IdentityConfiguration>;
  
}

export interface IdentityDefinition extends grpc.ServiceDefinition {
  AuthenticateUser: MethodDefinition<_tautan_workspaces_v1_AuthenticateUserRequest, _tautan_workspaces_v1_AuthenticatedUser, _tautan_workspaces_v1_AuthenticateUserRequest__Output, _tautan_workspaces_v1_AuthenticatedUser__Output>
  GetConfiguration: MethodDefinition<_tautan_workspaces_v1_GetConfigurationRequest, _tautan_workspaces_v1_IdentityConfiguration, _tautan_workspaces_v1_GetConfigurationRequest__Output, _tautan_workspaces_v1_IdentityConfiguration__Output>
}
