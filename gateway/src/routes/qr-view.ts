import { qrCodeRecord, type QrCodeMessage, type QrCodeRecord } from '@tautan/proto';
import { creatorView } from './creator-view.js';
import { wireFields } from './wire-fields.js';

const fields = wireFields(qrCodeRecord);

/** Returns the record of a QR code. */
export const qrCodeView = (code: QrCodeMessage): QrCodeRecord => ({
  ...fields(code),
  styleConfig: JSON.parse(code.styleConfig) as QrCodeRecord['styleConfig'],
  createdBy: creatorView(code.createdBy),
});
