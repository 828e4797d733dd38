import type { Log } from '@tautan/kit';
import type { Settings } from './settings.js';

/** Options of the local identity provider and the payment sandbox, which run in the supervisor's process. */
export interface LocalProviderOptions {
  settings: Settings;
  /** URL of the front, the HTTP proxy for the gateway and redirect processes. */
  baseUrl: string;
  log: Log;
  /** Whether to repair corrupt files, keeping all valid records. */
  repair: boolean;
  /** Receives a sentence for each loss of data found when the files are opened. */
  onLoss: (message: string) => void;
}
