// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BeginLoginRequest as _tautan_workspaces_v1_BeginLoginRequest, BeginLoginRequest__Output as _tautan_workspaces_v1_BeginLoginRequest__Output } from '../../../tautan/workspaces/v1/BeginLoginRequest.js';
import type { BegunLogin as _tautan_workspaces_v1_BegunLogin, BegunLogin__Output as _tautan_workspaces_v1_BegunLogin__Output } from '../../../tautan/workspaces/v1/BegunLogin.js';
import type { EndSessionRequest as _tautan_workspaces_v1_EndSessionRequest, EndSessionRequest__Output as _tautan_workspaces_v1_EndSessionRequest__Output } from '../../../tautan/workspaces/v1/EndSessionRequest.js';
import type { EndSessionResponse as _tautan_workspaces_v1_EndSessionResponse, EndSessionResponse__Output as _tautan_workspaces_v1_EndSessionResponse__Output } from '../../../tautan/workspaces/v1/EndSessionResponse.js';
import type { FinishLoginRequest as _tautan_workspaces_v1_FinishLoginRequest, FinishLoginRequest__Output as _tautan_workspaces_v1_FinishLoginRequest__Output } from '../../../tautan/workspaces/v1/FinishLoginRequest.js';
import type { ForgotPasswordRequest as _tautan_workspaces_v1_ForgotPasswordRequest, ForgotPasswordRequest__Output as _tautan_workspaces_v1_ForgotPasswordRequest__Output } from '../../../tautan/workspaces/v1/ForgotPasswordRequest.js';
import type { ForgotPasswordResponse as _tautan_workspaces_v1_ForgotPasswordResponse, ForgotPasswordResponse__Output as _tautan_workspaces_v1_ForgotPasswordResponse__Output } from '../../../tautan/workspaces/v1/ForgotPasswordResponse.js';
import type { ListSessionsRequest as _tautan_workspaces_v1_ListSessionsRequest, ListSessionsRequest__Output as _tautan_workspaces_v1_ListSessionsRequest__Output } from '../../../tautan/workspaces/v1/ListSessionsRequest.js';
import type { ListSessionsResponse as _tautan_workspaces_v1_ListSessionsResponse, ListSessionsResponse__Output as _tautan_workspaces_v1_ListSessionsResponse__Output } from '../../../tautan/workspaces/v1/ListSessionsResponse.js';
import type { OpenedSession as _tautan_workspaces_v1_OpenedSession, OpenedSession__Output as _tautan_workspaces_v1_OpenedSession__Output } from '../../../tautan/workspaces/v1/OpenedSession.js';
import type { PasswordLoginRequest as _tautan_workspaces_v1_PasswordLoginRequest, PasswordLoginRequest__Output as _tautan_workspaces_v1_PasswordLoginRequest__Output } from '../../../tautan/workspaces/v1/PasswordLoginRequest.js';
import type { RefreshSessionRequest as _tautan_workspaces_v1_RefreshSessionRequest, RefreshSessionRequest__Output as _tautan_workspaces_v1_RefreshSessionRequest__Output } from '../../../tautan/workspaces/v1/RefreshSessionRequest.js';
import type { RevokeOtherSessionsRequest as _tautan_workspaces_v1_RevokeOtherSessionsRequest, RevokeOtherSessionsRequest__Output as _tautan_workspaces_v1_RevokeOtherSessionsRequest__Output } from '../../../tautan/workspaces/v1/RevokeOtherSessionsRequest.js';
import type { RevokeOtherSessionsResponse as _tautan_workspaces_v1_RevokeOtherSessionsResponse, RevokeOtherSessionsResponse__Output as _tautan_workspaces_v1_RevokeOtherSessionsResponse__Output } from '../../../tautan/workspaces/v1/RevokeOtherSessionsResponse.js';
import type { RevokeSessionRequest as _tautan_workspaces_v1_RevokeSessionRequest, RevokeSessionRequest__Output as _tautan_workspaces_v1_RevokeSessionRequest__Output } from '../../../tautan/workspaces/v1/RevokeSessionRequest.js';
import type { RevokeSessionResponse as _tautan_workspaces_v1_RevokeSessionResponse, RevokeSessionResponse__Output as _tautan_workspaces_v1_RevokeSessionResponse__Output } from '../../../tautan/workspaces/v1/RevokeSessionResponse.js';
import type { SignUpRequest as _tautan_workspaces_v1_SignUpRequest, SignUpRequest__Output as _tautan_workspaces_v1_SignUpRequest__Output } from '../../../tautan/workspaces/v1/SignUpRequest.js';

export interface SessionsClient extends grpc.Client {
  BeginLogin(argument: _tautan_workspaces_v1_BeginLoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_BegunLogin__Output>): grpc.ClientUnaryCall;
  BeginLogin(argument: _tautan_workspaces_v1_BeginLoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_BegunLogin__Output>): grpc.ClientUnaryCall;
  BeginLogin(argument: _tautan_workspaces_v1_BeginLoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_BegunLogin__Output>): grpc.ClientUnaryCall;
  BeginLogin(argument: _tautan_workspaces_v1_BeginLoginRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_BegunLogin__Output>): grpc.ClientUnaryCall;
  beginLogin(argument: _tautan_workspaces_v1_BeginLoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_BegunLogin__Output>): grpc.ClientUnaryCall;
  beginLogin(argument: _tautan_workspaces_v1_BeginLoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_BegunLogin__Output>): grpc.ClientUnaryCall;
  beginLogin(argument: _tautan_workspaces_v1_BeginLoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_BegunLogin__Output>): grpc.ClientUnaryCall;
  beginLogin(argument: _tautan_workspaces_v1_BeginLoginRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_BegunLogin__Output>): grpc.ClientUnaryCall;
  
  EndSession(argument: _tautan_workspaces_v1_EndSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _tautan_workspaces_v1_EndSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _tautan_workspaces_v1_EndSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  EndSession(argument: _tautan_workspaces_v1_EndSessionRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  endSession(argument: _tautan_workspaces_v1_EndSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  endSession(argument: _tautan_workspaces_v1_EndSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  endSession(argument: _tautan_workspaces_v1_EndSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  endSession(argument: _tautan_workspaces_v1_EndSessionRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_EndSessionResponse__Output>): grpc.ClientUnaryCall;
  
  FinishLogin(argument: _tautan_workspaces_v1_FinishLoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  FinishLogin(argument: _tautan_workspaces_v1_FinishLoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  FinishLogin(argument: _tautan_workspaces_v1_FinishLoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  FinishLogin(argument: _tautan_workspaces_v1_FinishLoginRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  finishLogin(argument: _tautan_workspaces_v1_FinishLoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  finishLogin(argument: _tautan_workspaces_v1_FinishLoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  finishLogin(argument: _tautan_workspaces_v1_FinishLoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  finishLogin(argument: _tautan_workspaces_v1_FinishLoginRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  
  ForgotPassword(argument: _tautan_workspaces_v1_ForgotPasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ForgotPasswordResponse__Output>): grpc.ClientUnaryCall;
  ForgotPassword(argument: _tautan_workspaces_v1_ForgotPasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ForgotPasswordResponse__Output>): grpc.ClientUnaryCall;
  ForgotPassword(argument: _tautan_workspaces_v1_ForgotPasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ForgotPasswordResponse__Output>): grpc.ClientUnaryCall;
  ForgotPassword(argument: _tautan_workspaces_v1_ForgotPasswordRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ForgotPasswordResponse__Output>): grpc.ClientUnaryCall;
  forgotPassword(argument: _tautan_workspaces_v1_ForgotPasswordRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ForgotPasswordResponse__Output>): grpc.ClientUnaryCall;
  forgotPassword(argument: _tautan_workspaces_v1_ForgotPasswordRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ForgotPasswordResponse__Output>): grpc.ClientUnaryCall;
  forgotPassword(argument: _tautan_workspaces_v1_ForgotPasswordRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ForgotPasswordResponse__Output>): grpc.ClientUnaryCall;
  forgotPassword(argument: _tautan_workspaces_v1_ForgotPasswordRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ForgotPasswordResponse__Output>): grpc.ClientUnaryCall;
  
  ListSessions(argument: _tautan_workspaces_v1_ListSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _tautan_workspaces_v1_ListSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _tautan_workspaces_v1_ListSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  ListSessions(argument: _tautan_workspaces_v1_ListSessionsRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _tautan_workspaces_v1_ListSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _tautan_workspaces_v1_ListSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _tautan_workspaces_v1_ListSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  listSessions(argument: _tautan_workspaces_v1_ListSessionsRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListSessionsResponse__Output>): grpc.ClientUnaryCall;
  
  PasswordLogin(argument: _tautan_workspaces_v1_PasswordLoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  PasswordLogin(argument: _tautan_workspaces_v1_PasswordLoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  PasswordLogin(argument: _tautan_workspaces_v1_PasswordLoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  PasswordLogin(argument: _tautan_workspaces_v1_PasswordLoginRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  passwordLogin(argument: _tautan_workspaces_v1_PasswordLoginRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  passwordLogin(argument: _tautan_workspaces_v1_PasswordLoginRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  passwordLogin(argument: _tautan_workspaces_v1_PasswordLoginRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  passwordLogin(argument: _tautan_workspaces_v1_PasswordLoginRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  
  RefreshSession(argument: _tautan_workspaces_v1_RefreshSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  RefreshSession(argument: _tautan_workspaces_v1_RefreshSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  RefreshSession(argument: _tautan_workspaces_v1_RefreshSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  RefreshSession(argument: _tautan_workspaces_v1_RefreshSessionRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  refreshSession(argument: _tautan_workspaces_v1_RefreshSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  refreshSession(argument: _tautan_workspaces_v1_RefreshSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  refreshSession(argument: _tautan_workspaces_v1_RefreshSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  refreshSession(argument: _tautan_workspaces_v1_RefreshSessionRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  
  RevokeOtherSessions(argument: _tautan_workspaces_v1_RevokeOtherSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _tautan_workspaces_v1_RevokeOtherSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _tautan_workspaces_v1_RevokeOtherSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _tautan_workspaces_v1_RevokeOtherSessionsRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _tautan_workspaces_v1_RevokeOtherSessionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _tautan_workspaces_v1_RevokeOtherSessionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _tautan_workspaces_v1_RevokeOtherSessionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _tautan_workspaces_v1_RevokeOtherSessionsRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>): grpc.ClientUnaryCall;
  
  RevokeSession(argument: _tautan_workspaces_v1_RevokeSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeSessionResponse__Output>): grpc.ClientUnaryCall;
  RevokeSession(argument: _tautan_workspaces_v1_RevokeSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeSessionResponse__Output>): grpc.ClientUnaryCall;
  RevokeSession(argument: _tautan_workspaces_v1_RevokeSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeSessionResponse__Output>): grpc.ClientUnaryCall;
  RevokeSession(argument: _tautan_workspaces_v1_RevokeSessionRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeSessionResponse__Output>): grpc.ClientUnaryCall;
  revokeSession(argument: _tautan_workspaces_v1_RevokeSessionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeSessionResponse__Output>): grpc.ClientUnaryCall;
  revokeSession(argument: _tautan_workspaces_v1_RevokeSessionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeSessionResponse__Output>): grpc.ClientUnaryCall;
  revokeSession(argument: _tautan_workspaces_v1_RevokeSessionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeSessionResponse__Output>): grpc.ClientUnaryCall;
  revokeSession(argument: _tautan_workspaces_v1_RevokeSessionRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeSessionResponse__Output>): grpc.ClientUnaryCall;
  
  SignUp(argument: _tautan_workspaces_v1_SignUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _tautan_workspaces_v1_SignUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _tautan_workspaces_v1_SignUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  SignUp(argument: _tautan_workspaces_v1_SignUpRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  signUp(argument: _tautan_workspaces_v1_SignUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  signUp(argument: _tautan_workspaces_v1_SignUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  signUp(argument: _tautan_workspaces_v1_SignUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  signUp(argument: _tautan_workspaces_v1_SignUpRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OpenedSession__Output>): grpc.ClientUnaryCall;
  
}

export interface SessionsHandlers extends grpc.UntypedServiceImplementation {
  BeginLogin: grpc.handleUnaryCall<_tautan_workspaces_v1_BeginLoginRequest__Output, _tautan_workspaces_v1_BegunLogin>;
  
  EndSession: grpc.handleUnaryCall<_tautan_workspaces_v1_EndSessionRequest__Output, _tautan_workspaces_v1_EndSessionResponse>;
  
  FinishLogin: grpc.handleUnaryCall<_tautan_workspaces_v1_FinishLoginRequest__Output, _tautan_workspaces_v1_OpenedSession>;
  
  ForgotPassword: grpc.handleUnaryCall<_tautan_workspaces_v1_ForgotPasswordRequest__Output, _tautan_workspaces_v1_ForgotPasswordResponse>;
  
  ListSessions: grpc.handleUnaryCall<_tautan_workspaces_v1_ListSessionsRequest__Output, _tautan_workspaces_v1_ListSessionsResponse>;
  
  PasswordLogin: grpc.handleUnaryCall<_tautan_workspaces_v1_PasswordLoginRequest__Output, _tautan_workspaces_v1_OpenedSession>;
  
  RefreshSession: grpc.handleUnaryCall<_tautan_workspaces_v1_RefreshSessionRequest__Output, _tautan_workspaces_v1_OpenedSession>;
  
  RevokeOtherSessions: grpc.handleUnaryCall<_tautan_workspaces_v1_RevokeOtherSessionsRequest__Output, _tautan_workspaces_v1_RevokeOtherSessionsResponse>;
  
  RevokeSession: grpc.handleUnaryCall<_tautan_workspaces_v1_RevokeSessionRequest__Output, _tautan_workspaces_v1_RevokeSessionResponse>;
  
  SignUp: grpc.handleUnaryCall<_tautan_workspaces_v1_SignUpRequest__Output, _tautan_workspaces_v1_OpenedSession>;
  
}

export interface SessionsDefinition extends grpc.ServiceDefinition {
  BeginLogin: MethodDefinition<_tautan_workspaces_v1_BeginLoginRequest, _tautan_workspaces_v1_BegunLogin, _tautan_workspaces_v1_BeginLoginRequest__Output, _tautan_workspaces_v1_BegunLogin__Output>
  EndSession: MethodDefinition<_tautan_workspaces_v1_EndSessionRequest, _tautan_workspaces_v1_EndSessionResponse, _tautan_workspaces_v1_EndSessionRequest__Output, _tautan_workspaces_v1_EndSessionResponse__Output>
  FinishLogin: MethodDefinition<_tautan_workspaces_v1_FinishLoginRequest, _tautan_workspaces_v1_OpenedSession, _tautan_workspaces_v1_FinishLoginRequest__Output, _tautan_workspaces_v1_OpenedSession__Output>
  ForgotPassword: MethodDefinition<_tautan_workspaces_v1_ForgotPasswordRequest, _tautan_workspaces_v1_ForgotPasswordResponse, _tautan_workspaces_v1_ForgotPasswordRequest__Output, _tautan_workspaces_v1_ForgotPasswordResponse__Output>
  ListSessions: MethodDefinition<_tautan_workspaces_v1_ListSessionsRequest, _tautan_workspaces_v1_ListSessionsResponse, _tautan_workspaces_v1_ListSessionsRequest__Output, _tautan_workspaces_v1_ListSessionsResponse__Output>
  PasswordLogin: MethodDefinition<_tautan_workspaces_v1_PasswordLoginRequest, _tautan_workspaces_v1_OpenedSession, _tautan_workspaces_v1_PasswordLoginRequest__Output, _tautan_workspaces_v1_OpenedSession__Output>
  RefreshSession: MethodDefinition<_tautan_workspaces_v1_RefreshSessionRequest, _tautan_workspaces_v1_OpenedSession, _tautan_workspaces_v1_RefreshSessionRequest__Output, _tautan_workspaces_v1_OpenedSession__Output>
  RevokeOtherSessions: MethodDefinition<_tautan_workspaces_v1_RevokeOtherSessionsRequest, _tautan_workspaces_v1_RevokeOtherSessionsResponse, _tautan_workspaces_v1_RevokeOtherSessionsRequest__Output, _tautan_workspaces_v1_RevokeOtherSessionsResponse__Output>
  RevokeSession: MethodDefinition<_tautan_workspaces_v1_RevokeSessionRequest, _tautan_workspaces_v1_RevokeSessionResponse, _tautan_workspaces_v1_RevokeSessionRequest__Output, _tautan_workspaces_v1_RevokeSessionResponse__Output>
  SignUp: MethodDefinition<_tautan_workspaces_v1_SignUpRequest, _tautan_workspaces_v1_OpenedSession, _tautan_workspaces_v1_SignUpRequest__Output, _tautan_workspaces_v1_OpenedSession__Output>
}
