import { ListStore } from './lists.js';
import type { Models } from './models.js';
import { QrCodeStore } from './qr-codes.js';

export type { ListFilter } from './lists.js';

/** The QR code stores of this service. */
export interface Store {
  qrCodes: QrCodeStore;
  lists: ListStore;
}

export const createStore = ({ qrCodes }: Models): Store => ({
  qrCodes: new QrCodeStore(qrCodes),
  lists: new ListStore(qrCodes),
});
