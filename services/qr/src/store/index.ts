import { keepDeadLetter } from '@tautan/kit/mongo';
import { ListStore } from './lists.js';
import type { Models } from './models.js';
import { QrCodeStore } from './qr-codes.js';

export type { ListFilter } from './lists.js';

/** Everything that this service keeps of QR codes. */
export interface Store {
  qrCodes: QrCodeStore;
  lists: ListStore;
  /** Keeps a message that could not be handled. */
  setAside(subject: string, payload: Uint8Array, error: unknown): Promise<void>;
}

export const createStore = ({ qrCodes, deadLetters }: Models): Store => ({
  qrCodes: new QrCodeStore(qrCodes),
  lists: new ListStore(qrCodes),
  setAside: (subject, payload, error) => keepDeadLetter(deadLetters, { subject, payload, error, at: new Date() }),
});
