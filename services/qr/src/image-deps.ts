import type { KeyedMutex } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { Plans } from '@tautan/proto';
import type { Renderer } from './image/renderer.js';
import type { DownloadTokenStore } from './store/download-tokens.js';
import type { StyleConfig } from './image/style.js';
import type { LogoStore } from './store/logos.js';
import type { Store } from './store/index.js';

/** Dependencies of the image use cases; each uses a subset. */
export interface ImageDeps {
  store: Store;
  logos: LogoStore;
  downloadTokens: DownloadTokenStore;
  renderer: Renderer;
  /** Throws VALIDATION_ERROR naming `styleConfig.size` for a style whose modules are too small. */
  checkScannable: (style: StyleConfig) => void;
  plans: Plans;
  transact: Transact;
  /** Serializes the insertions of logos, per workspace. */
  uploadMutex: KeyedMutex;
  /** Maximum number of logos in a workspace. */
  maxLogos: number;
  /** A logo that no QR code uses is deleted this many days after its latest upload or last use. */
  unusedLogoDays: number;
  /** Public origin, without a trailing slash. */
  baseUrl: string;
  /** Lifetime of download tokens, hours. */
  tokenHours: number;
  now: () => Date;
}
