import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { CreateDownloadTokenRequest as _tautan_qr_v1_CreateDownloadTokenRequest, CreateDownloadTokenRequest__Output as _tautan_qr_v1_CreateDownloadTokenRequest__Output } from './tautan/qr/v1/CreateDownloadTokenRequest.js';
import type { CreateQrCodeRequest as _tautan_qr_v1_CreateQrCodeRequest, CreateQrCodeRequest__Output as _tautan_qr_v1_CreateQrCodeRequest__Output } from './tautan/qr/v1/CreateQrCodeRequest.js';
import type { DeleteQrCodeRequest as _tautan_qr_v1_DeleteQrCodeRequest, DeleteQrCodeRequest__Output as _tautan_qr_v1_DeleteQrCodeRequest__Output } from './tautan/qr/v1/DeleteQrCodeRequest.js';
import type { DeleteQrCodeResponse as _tautan_qr_v1_DeleteQrCodeResponse, DeleteQrCodeResponse__Output as _tautan_qr_v1_DeleteQrCodeResponse__Output } from './tautan/qr/v1/DeleteQrCodeResponse.js';
import type { DownloadToken as _tautan_qr_v1_DownloadToken, DownloadToken__Output as _tautan_qr_v1_DownloadToken__Output } from './tautan/qr/v1/DownloadToken.js';
import type { GetLogoRequest as _tautan_qr_v1_GetLogoRequest, GetLogoRequest__Output as _tautan_qr_v1_GetLogoRequest__Output } from './tautan/qr/v1/GetLogoRequest.js';
import type { GetQrCodeRequest as _tautan_qr_v1_GetQrCodeRequest, GetQrCodeRequest__Output as _tautan_qr_v1_GetQrCodeRequest__Output } from './tautan/qr/v1/GetQrCodeRequest.js';
import type { Image as _tautan_qr_v1_Image, Image__Output as _tautan_qr_v1_Image__Output } from './tautan/qr/v1/Image.js';
import type { ListQrCodesRequest as _tautan_qr_v1_ListQrCodesRequest, ListQrCodesRequest__Output as _tautan_qr_v1_ListQrCodesRequest__Output } from './tautan/qr/v1/ListQrCodesRequest.js';
import type { ListQrCodesResponse as _tautan_qr_v1_ListQrCodesResponse, ListQrCodesResponse__Output as _tautan_qr_v1_ListQrCodesResponse__Output } from './tautan/qr/v1/ListQrCodesResponse.js';
import type { Logo as _tautan_qr_v1_Logo, Logo__Output as _tautan_qr_v1_Logo__Output } from './tautan/qr/v1/Logo.js';
import type { PreviewQrCodeRequest as _tautan_qr_v1_PreviewQrCodeRequest, PreviewQrCodeRequest__Output as _tautan_qr_v1_PreviewQrCodeRequest__Output } from './tautan/qr/v1/PreviewQrCodeRequest.js';
import type { QrCode as _tautan_qr_v1_QrCode, QrCode__Output as _tautan_qr_v1_QrCode__Output } from './tautan/qr/v1/QrCode.js';
import type { QrCodesClient as _tautan_qr_v1_QrCodesClient, QrCodesDefinition as _tautan_qr_v1_QrCodesDefinition } from './tautan/qr/v1/QrCodes.js';
import type { QrCreator as _tautan_qr_v1_QrCreator, QrCreator__Output as _tautan_qr_v1_QrCreator__Output } from './tautan/qr/v1/QrCreator.js';
import type { QrImagesClient as _tautan_qr_v1_QrImagesClient, QrImagesDefinition as _tautan_qr_v1_QrImagesDefinition } from './tautan/qr/v1/QrImages.js';
import type { RenderByTokenRequest as _tautan_qr_v1_RenderByTokenRequest, RenderByTokenRequest__Output as _tautan_qr_v1_RenderByTokenRequest__Output } from './tautan/qr/v1/RenderByTokenRequest.js';
import type { RenderQrCodeRequest as _tautan_qr_v1_RenderQrCodeRequest, RenderQrCodeRequest__Output as _tautan_qr_v1_RenderQrCodeRequest__Output } from './tautan/qr/v1/RenderQrCodeRequest.js';
import type { TagNames as _tautan_qr_v1_TagNames, TagNames__Output as _tautan_qr_v1_TagNames__Output } from './tautan/qr/v1/TagNames.js';
import type { UpdateQrCodeRequest as _tautan_qr_v1_UpdateQrCodeRequest, UpdateQrCodeRequest__Output as _tautan_qr_v1_UpdateQrCodeRequest__Output } from './tautan/qr/v1/UpdateQrCodeRequest.js';
import type { UploadLogoRequest as _tautan_qr_v1_UploadLogoRequest, UploadLogoRequest__Output as _tautan_qr_v1_UploadLogoRequest__Output } from './tautan/qr/v1/UploadLogoRequest.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    qr: {
      v1: {
        CreateDownloadTokenRequest: MessageTypeDefinition<_tautan_qr_v1_CreateDownloadTokenRequest, _tautan_qr_v1_CreateDownloadTokenRequest__Output>
        CreateQrCodeRequest: MessageTypeDefinition<_tautan_qr_v1_CreateQrCodeRequest, _tautan_qr_v1_CreateQrCodeRequest__Output>
        DeleteQrCodeRequest: MessageTypeDefinition<_tautan_qr_v1_DeleteQrCodeRequest, _tautan_qr_v1_DeleteQrCodeRequest__Output>
        DeleteQrCodeResponse: MessageTypeDefinition<_tautan_qr_v1_DeleteQrCodeResponse, _tautan_qr_v1_DeleteQrCodeResponse__Output>
        DownloadToken: MessageTypeDefinition<_tautan_qr_v1_DownloadToken, _tautan_qr_v1_DownloadToken__Output>
        GetLogoRequest: MessageTypeDefinition<_tautan_qr_v1_GetLogoRequest, _tautan_qr_v1_GetLogoRequest__Output>
        GetQrCodeRequest: MessageTypeDefinition<_tautan_qr_v1_GetQrCodeRequest, _tautan_qr_v1_GetQrCodeRequest__Output>
        Image: MessageTypeDefinition<_tautan_qr_v1_Image, _tautan_qr_v1_Image__Output>
        ListQrCodesRequest: MessageTypeDefinition<_tautan_qr_v1_ListQrCodesRequest, _tautan_qr_v1_ListQrCodesRequest__Output>
        ListQrCodesResponse: MessageTypeDefinition<_tautan_qr_v1_ListQrCodesResponse, _tautan_qr_v1_ListQrCodesResponse__Output>
        Logo: MessageTypeDefinition<_tautan_qr_v1_Logo, _tautan_qr_v1_Logo__Output>
        PreviewQrCodeRequest: MessageTypeDefinition<_tautan_qr_v1_PreviewQrCodeRequest, _tautan_qr_v1_PreviewQrCodeRequest__Output>
        QrCode: MessageTypeDefinition<_tautan_qr_v1_QrCode, _tautan_qr_v1_QrCode__Output>
        QrCodes: SubtypeConstructor<typeof grpc.Client, _tautan_qr_v1_QrCodesClient> & { service: _tautan_qr_v1_QrCodesDefinition }
        QrCreator: MessageTypeDefinition<_tautan_qr_v1_QrCreator, _tautan_qr_v1_QrCreator__Output>
        QrImages: SubtypeConstructor<typeof grpc.Client, _tautan_qr_v1_QrImagesClient> & { service: _tautan_qr_v1_QrImagesDefinition }
        RenderByTokenRequest: MessageTypeDefinition<_tautan_qr_v1_RenderByTokenRequest, _tautan_qr_v1_RenderByTokenRequest__Output>
        RenderQrCodeRequest: MessageTypeDefinition<_tautan_qr_v1_RenderQrCodeRequest, _tautan_qr_v1_RenderQrCodeRequest__Output>
        TagNames: MessageTypeDefinition<_tautan_qr_v1_TagNames, _tautan_qr_v1_TagNames__Output>
        UpdateQrCodeRequest: MessageTypeDefinition<_tautan_qr_v1_UpdateQrCodeRequest, _tautan_qr_v1_UpdateQrCodeRequest__Output>
        UploadLogoRequest: MessageTypeDefinition<_tautan_qr_v1_UploadLogoRequest, _tautan_qr_v1_UploadLogoRequest__Output>
      }
    }
  }
}

