// Original file: qr.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateQrCodeRequest as _tautan_qr_v1_CreateQrCodeRequest, CreateQrCodeRequest__Output as _tautan_qr_v1_CreateQrCodeRequest__Output } from '../../../tautan/qr/v1/CreateQrCodeRequest.js';
import type { DeleteQrCodeRequest as _tautan_qr_v1_DeleteQrCodeRequest, DeleteQrCodeRequest__Output as _tautan_qr_v1_DeleteQrCodeRequest__Output } from '../../../tautan/qr/v1/DeleteQrCodeRequest.js';
import type { DeleteQrCodeResponse as _tautan_qr_v1_DeleteQrCodeResponse, DeleteQrCodeResponse__Output as _tautan_qr_v1_DeleteQrCodeResponse__Output } from '../../../tautan/qr/v1/DeleteQrCodeResponse.js';
import type { GetQrCodeRequest as _tautan_qr_v1_GetQrCodeRequest, GetQrCodeRequest__Output as _tautan_qr_v1_GetQrCodeRequest__Output } from '../../../tautan/qr/v1/GetQrCodeRequest.js';
import type { ListQrCodesRequest as _tautan_qr_v1_ListQrCodesRequest, ListQrCodesRequest__Output as _tautan_qr_v1_ListQrCodesRequest__Output } from '../../../tautan/qr/v1/ListQrCodesRequest.js';
import type { ListQrCodesResponse as _tautan_qr_v1_ListQrCodesResponse, ListQrCodesResponse__Output as _tautan_qr_v1_ListQrCodesResponse__Output } from '../../../tautan/qr/v1/ListQrCodesResponse.js';
import type { QrCode as _tautan_qr_v1_QrCode, QrCode__Output as _tautan_qr_v1_QrCode__Output } from '../../../tautan/qr/v1/QrCode.js';
import type { UpdateQrCodeRequest as _tautan_qr_v1_UpdateQrCodeRequest, UpdateQrCodeRequest__Output as _tautan_qr_v1_UpdateQrCodeRequest__Output } from '../../../tautan/qr/v1/UpdateQrCodeRequest.js';

export interface QrCodesClient extends grpc.Client {
  CreateQrCode(argument: _tautan_qr_v1_CreateQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  CreateQrCode(argument: _tautan_qr_v1_CreateQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  CreateQrCode(argument: _tautan_qr_v1_CreateQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  CreateQrCode(argument: _tautan_qr_v1_CreateQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  createQrCode(argument: _tautan_qr_v1_CreateQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  createQrCode(argument: _tautan_qr_v1_CreateQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  createQrCode(argument: _tautan_qr_v1_CreateQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  createQrCode(argument: _tautan_qr_v1_CreateQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  
  DeleteQrCode(argument: _tautan_qr_v1_DeleteQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_DeleteQrCodeResponse__Output>): grpc.ClientUnaryCall;
  DeleteQrCode(argument: _tautan_qr_v1_DeleteQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_DeleteQrCodeResponse__Output>): grpc.ClientUnaryCall;
  DeleteQrCode(argument: _tautan_qr_v1_DeleteQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_DeleteQrCodeResponse__Output>): grpc.ClientUnaryCall;
  DeleteQrCode(argument: _tautan_qr_v1_DeleteQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_DeleteQrCodeResponse__Output>): grpc.ClientUnaryCall;
  deleteQrCode(argument: _tautan_qr_v1_DeleteQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_DeleteQrCodeResponse__Output>): grpc.ClientUnaryCall;
  deleteQrCode(argument: _tautan_qr_v1_DeleteQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_DeleteQrCodeResponse__Output>): grpc.ClientUnaryCall;
  deleteQrCode(argument: _tautan_qr_v1_DeleteQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_DeleteQrCodeResponse__Output>): grpc.ClientUnaryCall;
  deleteQrCode(argument: _tautan_qr_v1_DeleteQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_DeleteQrCodeResponse__Output>): grpc.ClientUnaryCall;
  
  GetQrCode(argument: _tautan_qr_v1_GetQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  GetQrCode(argument: _tautan_qr_v1_GetQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  GetQrCode(argument: _tautan_qr_v1_GetQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  GetQrCode(argument: _tautan_qr_v1_GetQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  getQrCode(argument: _tautan_qr_v1_GetQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  getQrCode(argument: _tautan_qr_v1_GetQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  getQrCode(argument: _tautan_qr_v1_GetQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  getQrCode(argument: _tautan_qr_v1_GetQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  
  ListQrCodes(argument: _tautan_qr_v1_ListQrCodesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_ListQrCodesResponse__Output>): grpc.ClientUnaryCall;
  ListQrCodes(argument: _tautan_qr_v1_ListQrCodesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_ListQrCodesResponse__Output>): grpc.ClientUnaryCall;
  ListQrCodes(argument: _tautan_qr_v1_ListQrCodesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_ListQrCodesResponse__Output>): grpc.ClientUnaryCall;
  ListQrCodes(argument: _tautan_qr_v1_ListQrCodesRequest, callback: grpc.requestCallback<_tautan_qr_v1_ListQrCodesResponse__Output>): grpc.ClientUnaryCall;
  listQrCodes(argument: _tautan_qr_v1_ListQrCodesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_ListQrCodesResponse__Output>): grpc.ClientUnaryCall;
  listQrCodes(argument: _tautan_qr_v1_ListQrCodesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_ListQrCodesResponse__Output>): grpc.ClientUnaryCall;
  listQrCodes(argument: _tautan_qr_v1_ListQrCodesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_ListQrCodesResponse__Output>): grpc.ClientUnaryCall;
  listQrCodes(argument: _tautan_qr_v1_ListQrCodesRequest, callback: grpc.requestCallback<_tautan_qr_v1_ListQrCodesResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateQrCode(argument: _tautan_qr_v1_UpdateQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  UpdateQrCode(argument: _tautan_qr_v1_UpdateQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  UpdateQrCode(argument: _tautan_qr_v1_UpdateQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  UpdateQrCode(argument: _tautan_qr_v1_UpdateQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  updateQrCode(argument: _tautan_qr_v1_UpdateQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  updateQrCode(argument: _tautan_qr_v1_UpdateQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  updateQrCode(argument: _tautan_qr_v1_UpdateQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  updateQrCode(argument: _tautan_qr_v1_UpdateQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_QrCode__Output>): grpc.ClientUnaryCall;
  
}

export interface QrCodesHandlers extends grpc.UntypedServiceImplementation {
  CreateQrCode: grpc.handleUnaryCall<_tautan_qr_v1_CreateQrCodeRequest__Output, _tautan_qr_v1_QrCode>;
  
  DeleteQrCode: grpc.handleUnaryCall<_tautan_qr_v1_DeleteQrCodeRequest__Output, _tautan_qr_v1_DeleteQrCodeResponse>;
  
  GetQrCode: grpc.handleUnaryCall<_tautan_qr_v1_GetQrCodeRequest__Output, _tautan_qr_v1_QrCode>;
  
  ListQrCodes: grpc.handleUnaryCall<_tautan_qr_v1_ListQrCodesRequest__Output, _tautan_qr_v1_ListQrCodesResponse>;
  
  UpdateQrCode: grpc.handleUnaryCall<_tautan_qr_v1_UpdateQrCodeRequest__Output, _tautan_qr_v1_QrCode>;
  
}

export interface QrCodesDefinition extends grpc.ServiceDefinition {
  CreateQrCode: MethodDefinition<_tautan_qr_v1_CreateQrCodeRequest, _tautan_qr_v1_QrCode, _tautan_qr_v1_CreateQrCodeRequest__Output, _tautan_qr_v1_QrCode__Output>
  DeleteQrCode: MethodDefinition<_tautan_qr_v1_DeleteQrCodeRequest, _tautan_qr_v1_DeleteQrCodeResponse, _tautan_qr_v1_DeleteQrCodeRequest__Output, _tautan_qr_v1_DeleteQrCodeResponse__Output>
  GetQrCode: MethodDefinition<_tautan_qr_v1_GetQrCodeRequest, _tautan_qr_v1_QrCode, _tautan_qr_v1_GetQrCodeRequest__Output, _tautan_qr_v1_QrCode__Output>
  ListQrCodes: MethodDefinition<_tautan_qr_v1_ListQrCodesRequest, _tautan_qr_v1_ListQrCodesResponse, _tautan_qr_v1_ListQrCodesRequest__Output, _tautan_qr_v1_ListQrCodesResponse__Output>
  UpdateQrCode: MethodDefinition<_tautan_qr_v1_UpdateQrCodeRequest, _tautan_qr_v1_QrCode, _tautan_qr_v1_UpdateQrCodeRequest__Output, _tautan_qr_v1_QrCode__Output>
}
