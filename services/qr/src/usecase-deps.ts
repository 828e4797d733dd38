import type { KeyedBatcher, KeyedMutex, Log } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { UsageCounters } from '@tautan/plans/usage';
import type { Plans } from '@tautan/proto';
import type { QrCode } from './domain/qr-code.js';
import type { StyleConfig } from './image/style.js';
import type { Routes } from './routes.js';
import type { Store } from './store/index.js';
import type { LogoStore } from './store/logos.js';
import type { AcceptedChange } from './steps/commit-change.js';
import type { Inserted, NewCode } from './steps/insert-codes.js';

/** Dependencies of the QR code use cases; each uses a subset. */
export interface Deps {
  store: Store;
  /** The link service. */
  routes: Routes;
  transact: Transact;
  /** Serializes changes, per QR code. */
  codeMutex: KeyedMutex;
  logos: LogoStore;
  plans: Plans;
  counters: UsageCounters;
  /** Serializes transactions that change a usage counter, per workspace. */
  usageMutex: KeyedMutex;
  /** Batches insertions of new QR codes, per workspace. */
  insertions: KeyedBatcher<NewCode, Inserted>;
  /** Batches creations that the link service has accepted, per workspace. */
  creations: KeyedBatcher<AcceptedChange, QrCode>;
  /** Throws VALIDATION_ERROR naming `styleConfig.size` for a style whose modules would be too small for readers. */
  checkScannable: (style: StyleConfig) => void;
  /** Origin of the default short domain. */
  baseUrl: string;
  now: () => Date;
  /** Lease of a process on a QR code, milliseconds. */
  leaseMs: number;
  /** Age at which an unfinished creation is undone, milliseconds. */
  abandonedMs: number;
  log: Log;
}
