import type { KeyedBatcher, KeyedMutex, Log } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { UsageCounters } from '@tautan/kit/usage';
import type { Plans } from '@tautan/proto';
import type { QrCode } from '../domain/qr-code.js';
import type { StyleConfig } from '../image/style.js';
import type { Routes } from '../routes.js';
import type { Store } from '../store/index.js';
import type { LogoStore } from '../store/logos.js';
import type { AcceptedChange } from './commit-change.js';
import type { Inserted, NewCode } from './insert-codes.js';

/** All that use cases of QR codes work with; each takes what it needs of it. */
export interface Deps {
  store: Store;
  /** The link service. */
  routes: Routes;
  transact: Transact;
  /** By QR code, for its changes. */
  codeMutex: KeyedMutex;
  logos: LogoStore;
  plans: Plans;
  counters: UsageCounters;
  /** By workspace, for transactions that change its usage counter. */
  usageMutex: KeyedMutex;
  /** Insertions of new QR codes, by workspace. */
  insertions: KeyedBatcher<NewCode, Inserted>;
  /** Creations that the link service has accepted, by workspace. */
  creations: KeyedBatcher<AcceptedChange, QrCode>;
  /** Throws VALIDATION_ERROR naming `styleConfig.size` for a style whose modules would be too small for readers. */
  checkScannable: (style: StyleConfig) => void;
  /** Origin of the default short domain. */
  baseUrl: string;
  now: () => Date;
  /** How long whoever is at work on a QR code has it alone, milliseconds. */
  leaseMs: number;
  /** Age at which a QR code that was begun and never finished is given up, milliseconds. */
  abandonedMs: number;
  log: Log;
}
