// Original file: qr.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateDownloadTokenRequest as _tautan_qr_v1_CreateDownloadTokenRequest, CreateDownloadTokenRequest__Output as _tautan_qr_v1_CreateDownloadTokenRequest__Output } from '../../../tautan/qr/v1/CreateDownloadTokenRequest.js';
import type { DownloadToken as _tautan_qr_v1_DownloadToken, DownloadToken__Output as _tautan_qr_v1_DownloadToken__Output } from '../../../tautan/qr/v1/DownloadToken.js';
import type { GetLogoRequest as _tautan_qr_v1_GetLogoRequest, GetLogoRequest__Output as _tautan_qr_v1_GetLogoRequest__Output } from '../../../tautan/qr/v1/GetLogoRequest.js';
import type { Image as _tautan_qr_v1_Image, Image__Output as _tautan_qr_v1_Image__Output } from '../../../tautan/qr/v1/Image.js';
import type { Logo as _tautan_qr_v1_Logo, Logo__Output as _tautan_qr_v1_Logo__Output } from '../../../tautan/qr/v1/Logo.js';
import type { PreviewQrCodeRequest as _tautan_qr_v1_PreviewQrCodeRequest, PreviewQrCodeRequest__Output as _tautan_qr_v1_PreviewQrCodeRequest__Output } from '../../../tautan/qr/v1/PreviewQrCodeRequest.js';
import type { RenderByTokenRequest as _tautan_qr_v1_RenderByTokenRequest, RenderByTokenRequest__Output as _tautan_qr_v1_RenderByTokenRequest__Output } from '../../../tautan/qr/v1/RenderByTokenRequest.js';
import type { RenderQrCodeRequest as _tautan_qr_v1_RenderQrCodeRequest, RenderQrCodeRequest__Output as _tautan_qr_v1_RenderQrCodeRequest__Output } from '../../../tautan/qr/v1/RenderQrCodeRequest.js';
import type { UploadLogoRequest as _tautan_qr_v1_UploadLogoRequest, UploadLogoRequest__Output as _tautan_qr_v1_UploadLogoRequest__Output } from '../../../tautan/qr/v1/UploadLogoRequest.js';

export interface QrImagesClient extends grpc.Client {
  CreateDownloadToken(argument: _tautan_qr_v1_CreateDownloadTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_DownloadToken__Output>): grpc.ClientUnaryCall;
  CreateDownloadToken(argument: _tautan_qr_v1_CreateDownloadTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_DownloadToken__Output>): grpc.ClientUnaryCall;
  CreateDownloadToken(argument: _tautan_qr_v1_CreateDownloadTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_DownloadToken__Output>): grpc.ClientUnaryCall;
  CreateDownloadToken(argument: _tautan_qr_v1_CreateDownloadTokenRequest, callback: grpc.requestCallback<_tautan_qr_v1_DownloadToken__Output>): grpc.ClientUnaryCall;
  createDownloadToken(argument: _tautan_qr_v1_CreateDownloadTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_DownloadToken__Output>): grpc.ClientUnaryCall;
  createDownloadToken(argument: _tautan_qr_v1_CreateDownloadTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_DownloadToken__Output>): grpc.ClientUnaryCall;
  createDownloadToken(argument: _tautan_qr_v1_CreateDownloadTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_DownloadToken__Output>): grpc.ClientUnaryCall;
  createDownloadToken(argument: _tautan_qr_v1_CreateDownloadTokenRequest, callback: grpc.requestCallback<_tautan_qr_v1_DownloadToken__Output>): grpc.ClientUnaryCall;
  
  GetLogo(argument: _tautan_qr_v1_GetLogoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  GetLogo(argument: _tautan_qr_v1_GetLogoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  GetLogo(argument: _tautan_qr_v1_GetLogoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  GetLogo(argument: _tautan_qr_v1_GetLogoRequest, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  getLogo(argument: _tautan_qr_v1_GetLogoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  getLogo(argument: _tautan_qr_v1_GetLogoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  getLogo(argument: _tautan_qr_v1_GetLogoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  getLogo(argument: _tautan_qr_v1_GetLogoRequest, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  
  PreviewQrCode(argument: _tautan_qr_v1_PreviewQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  PreviewQrCode(argument: _tautan_qr_v1_PreviewQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  PreviewQrCode(argument: _tautan_qr_v1_PreviewQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  PreviewQrCode(argument: _tautan_qr_v1_PreviewQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  previewQrCode(argument: _tautan_qr_v1_PreviewQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  previewQrCode(argument: _tautan_qr_v1_PreviewQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  previewQrCode(argument: _tautan_qr_v1_PreviewQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  previewQrCode(argument: _tautan_qr_v1_PreviewQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  
  RenderByToken(argument: _tautan_qr_v1_RenderByTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  RenderByToken(argument: _tautan_qr_v1_RenderByTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  RenderByToken(argument: _tautan_qr_v1_RenderByTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  RenderByToken(argument: _tautan_qr_v1_RenderByTokenRequest, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  renderByToken(argument: _tautan_qr_v1_RenderByTokenRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  renderByToken(argument: _tautan_qr_v1_RenderByTokenRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  renderByToken(argument: _tautan_qr_v1_RenderByTokenRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  renderByToken(argument: _tautan_qr_v1_RenderByTokenRequest, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  
  RenderQrCode(argument: _tautan_qr_v1_RenderQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  RenderQrCode(argument: _tautan_qr_v1_RenderQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  RenderQrCode(argument: _tautan_qr_v1_RenderQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  RenderQrCode(argument: _tautan_qr_v1_RenderQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  renderQrCode(argument: _tautan_qr_v1_RenderQrCodeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  renderQrCode(argument: _tautan_qr_v1_RenderQrCodeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  renderQrCode(argument: _tautan_qr_v1_RenderQrCodeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  renderQrCode(argument: _tautan_qr_v1_RenderQrCodeRequest, callback: grpc.requestCallback<_tautan_qr_v1_Image__Output>): grpc.ClientUnaryCall;
  
  UploadLogo(argument: _tautan_qr_v1_UploadLogoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Logo__Output>): grpc.ClientUnaryCall;
  UploadLogo(argument: _tautan_qr_v1_UploadLogoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Logo__Output>): grpc.ClientUnaryCall;
  UploadLogo(argument: _tautan_qr_v1_UploadLogoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Logo__Output>): grpc.ClientUnaryCall;
  UploadLogo(argument: _tautan_qr_v1_UploadLogoRequest, callback: grpc.requestCallback<_tautan_qr_v1_Logo__Output>): grpc.ClientUnaryCall;
  uploadLogo(argument: _tautan_qr_v1_UploadLogoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Logo__Output>): grpc.ClientUnaryCall;
  uploadLogo(argument: _tautan_qr_v1_UploadLogoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_qr_v1_Logo__Output>): grpc.ClientUnaryCall;
  uploadLogo(argument: _tautan_qr_v1_UploadLogoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_qr_v1_Logo__Output>): grpc.ClientUnaryCall;
  uploadLogo(argument: _tautan_qr_v1_UploadLogoRequest, callback: grpc.requestCallback<_tautan_qr_v1_Logo__Output>): grpc.ClientUnaryCall;
  
}

export interface QrImagesHandlers extends grpc.UntypedServiceImplementation {
  CreateDownloadToken: grpc.handleUnaryCall<_tautan_qr_v1_CreateDownloadTokenRequest__Output, _tautan_qr_v1_DownloadToken>;
  
  GetLogo: grpc.handleUnaryCall<_tautan_qr_v1_GetLogoRequest__Output, _tautan_qr_v1_Image>;
  
  PreviewQrCode: grpc.handleUnaryCall<_tautan_qr_v1_PreviewQrCodeRequest__Output, _tautan_qr_v1_Image>;
  
  RenderByToken: grpc.handleUnaryCall<_tautan_qr_v1_RenderByTokenRequest__Output, _tautan_qr_v1_Image>;
  
  RenderQrCode: grpc.handleUnaryCall<_tautan_qr_v1_RenderQrCodeRequest__Output, _tautan_qr_v1_Image>;
  
  UploadLogo: grpc.handleUnaryCall<_tautan_qr_v1_UploadLogoRequest__Output, _tautan_qr_v1_Logo>;
  
}

export interface QrImagesDefinition extends grpc.ServiceDefinition {
  CreateDownloadToken: MethodDefinition<_tautan_qr_v1_CreateDownloadTokenRequest, _tautan_qr_v1_DownloadToken, _tautan_qr_v1_CreateDownloadTokenRequest__Output, _tautan_qr_v1_DownloadToken__Output>
  GetLogo: MethodDefinition<_tautan_qr_v1_GetLogoRequest, _tautan_qr_v1_Image, _tautan_qr_v1_GetLogoRequest__Output, _tautan_qr_v1_Image__Output>
  PreviewQrCode: MethodDefinition<_tautan_qr_v1_PreviewQrCodeRequest, _tautan_qr_v1_Image, _tautan_qr_v1_PreviewQrCodeRequest__Output, _tautan_qr_v1_Image__Output>
  RenderByToken: MethodDefinition<_tautan_qr_v1_RenderByTokenRequest, _tautan_qr_v1_Image, _tautan_qr_v1_RenderByTokenRequest__Output, _tautan_qr_v1_Image__Output>
  RenderQrCode: MethodDefinition<_tautan_qr_v1_RenderQrCodeRequest, _tautan_qr_v1_Image, _tautan_qr_v1_RenderQrCodeRequest__Output, _tautan_qr_v1_Image__Output>
  UploadLogo: MethodDefinition<_tautan_qr_v1_UploadLogoRequest, _tautan_qr_v1_Logo, _tautan_qr_v1_UploadLogoRequest__Output, _tautan_qr_v1_Logo__Output>
}
