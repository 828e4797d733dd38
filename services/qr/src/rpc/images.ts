import { rpcTable, withCall, type RpcTable } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto/rpc';
import { createDownloadToken } from '../usecases/create-download-token.js';
import { getLogo } from '../usecases/get-logo.js';
import type { ImageDeps } from '../image-deps.js';
import { previewQrCode } from '../usecases/preview-qr-code.js';
import { renderByToken } from '../usecases/render-by-token.js';
import { renderQrCode } from '../usecases/render-qr-code.js';
import { uploadLogo } from '../usecases/upload-logo.js';

/** Returns the RPC table of images. RenderByToken needs no principal: its token is the credential. */
export const imageTable = (deps: ImageDeps): RpcTable =>
  rpcTable(rpcServices.qrImages, {
    RenderQrCode: (call, request) => renderQrCode(deps, call.principal(), request),
    PreviewQrCode: (call, request) => previewQrCode(deps, call.principal(), request),
    CreateDownloadToken: (call, input) => createDownloadToken(deps, call.principal(), input),
    RenderByToken: (_call, request) => renderByToken(deps, request),
    UploadLogo: (call, { content }) =>
      uploadLogo(withCall(deps, call), call.principal(), { content: Buffer.from(content) }),
    GetLogo: (call, request) => getLogo(deps, call.principal(), request),
  });
