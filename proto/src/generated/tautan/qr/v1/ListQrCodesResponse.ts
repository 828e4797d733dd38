// Original file: qr.proto

import type { QrCode as _tautan_qr_v1_QrCode, QrCode__Output as _tautan_qr_v1_QrCode__Output } from '../../../tautan/qr/v1/QrCode.js';

export interface ListQrCodesResponse {
  'qrCodes'?: (_tautan_qr_v1_QrCode)[];
  'nextCursor'?: (string);
  '_nextCursor'?: "nextCursor";
}

export interface ListQrCodesResponse__Output {
  'qrCodes': (_tautan_qr_v1_QrCode__Output)[];
  'nextCursor'?: (string);
  '_nextCursor'?: "nextCursor";
}
