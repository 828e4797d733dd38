import type { CommandGroup } from '../../command.js';
import { deleteQrCode, updateQrCode } from './change.js';
import { createQrCode } from './create.js';
import { downloadQrCode, shareQrCode } from './download.js';
import { downloadLogo, uploadLogoCommand } from './logo.js';
import { getQrCode, listQrCodes, qrCodeStats } from './read.js';

export const qr: CommandGroup = {
  name: 'qr',
  summary: 'Create, style, download and update QR codes',
  commands: [
    createQrCode,
    listQrCodes,
    getQrCode,
    updateQrCode,
    deleteQrCode,
    downloadQrCode,
    shareQrCode,
    qrCodeStats,
    uploadLogoCommand,
    downloadLogo,
  ],
};
