// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AuthenticatePersonRequest as _tautan_workspaces_v1_AuthenticatePersonRequest, AuthenticatePersonRequest__Output as _tautan_workspaces_v1_AuthenticatePersonRequest__Output } from '../../../tautan/workspaces/v1/AuthenticatePersonRequest.js';
import type { GetConfigurationRequest as _tautan_workspaces_v1_GetConfigurationRequest, GetConfigurationRequest__Output as _tautan_workspaces_v1_GetConfigurationRequest__Output } from '../../../tautan/workspaces/v1/GetConfigurationRequest.js';
import type { IdentityConfiguration as _tautan_workspaces_v1_IdentityConfiguration, IdentityConfiguration__Output as _tautan_workspaces_v1_IdentityConfiguration__Output } from '../../../tautan/workspaces/v1/IdentityConfiguration.js';
import type { Person as _tautan_workspaces_v1_Person, Person__Output as _tautan_workspaces_v1_Person__Output } from '../../../tautan/workspaces/v1/Person.js';

export interface IdentityClient extends grpc.Client {
  AuthenticatePerson(argument: _tautan_workspaces_v1_AuthenticatePersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Person__Output>): grpc.ClientUnaryCall;
  AuthenticatePerson(argument: _tautan_workspaces_v1_AuthenticatePersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Person__Output>): grpc.ClientUnaryCall;
  AuthenticatePerson(argument: _tautan_workspaces_v1_AuthenticatePersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Person__Output>): grpc.ClientUnaryCall;
  AuthenticatePerson(argument: _tautan_workspaces_v1_AuthenticatePersonRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Person__Output>): grpc.ClientUnaryCall;
  authenticatePerson(argument: _tautan_workspaces_v1_AuthenticatePersonRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Person__Output>): grpc.ClientUnaryCall;
  authenticatePerson(argument: _tautan_workspaces_v1_AuthenticatePersonRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Person__Output>): grpc.ClientUnaryCall;
  authenticatePerson(argument: _tautan_workspaces_v1_AuthenticatePersonRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Person__Output>): grpc.ClientUnaryCall;
  authenticatePerson(argument: _tautan_workspaces_v1_AuthenticatePersonRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Person__Output>): grpc.ClientUnaryCall;
  
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
  AuthenticatePerson: grpc.handleUnaryCall<_tautan_workspaces_v1_AuthenticatePersonRequest__Output, _tautan_workspaces_v1_Person>;
  
  GetConfiguration: grpc.handleUnaryCall<_tautan_workspaces_v1_GetConfigurationRequest__Output, _tautan_workspaces_v1_IdentityConfiguration>;
  
}

export interface IdentityDefinition extends grpc.ServiceDefinition {
  AuthenticatePerson: MethodDefinition<_tautan_workspaces_v1_AuthenticatePersonRequest, _tautan_workspaces_v1_Person, _tautan_workspaces_v1_AuthenticatePersonRequest__Output, _tautan_workspaces_v1_Person__Output>
  GetConfiguration: MethodDefinition<_tautan_workspaces_v1_GetConfigurationRequest, _tautan_workspaces_v1_IdentityConfiguration, _tautan_workspaces_v1_GetConfigurationRequest__Output, _tautan_workspaces_v1_IdentityConfiguration__Output>
}
