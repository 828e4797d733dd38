import type { KeyedMutex } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { Plans } from '@tautan/proto';
import type { Renderer } from '../image/renderer.js';
import type { DownloadTokenStore } from '../store/download-tokens.js';
import type { LogoStore } from '../store/logos.js';
import type { Store } from '../store/index.js';

/** All that use cases of images work with; each takes what it needs of it. */
export interface ImageDeps {
  store: Store;
  logos: LogoStore;
  downloadTokens: DownloadTokenStore;
  renderer: Renderer;
  plans: Plans;
  transact: Transact;
  /** By workspace, for uploads of logos. */
  uploadMutex: KeyedMutex;
  /** Maximum number of logos in a workspace. */
  maxLogos: number;
  /** Age at which a logo that no QR code uses is deleted, days. */
  unusedLogoDays: number;
  /** The public address, without a slash at its end. */
  baseUrl: string;
  /** How long a download token is good for. */
  tokenHours: number;
  now: () => Date;
}
