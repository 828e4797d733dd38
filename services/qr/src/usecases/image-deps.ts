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
  /** The public address, without a slash at its end. */
  baseUrl: string;
  /** How long a download token is good for. */
  tokenHours: number;
  now: () => Date;
}
