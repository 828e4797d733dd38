import type { Log } from '@tautan/kit';
import type { Settings } from './settings.js';

/** How the supervisor starts the parts that run in its own process. */
export interface LocalPartOptions {
  settings: Settings;
  /** The address of the front. */
  baseUrl: string;
  log: Log;
  /** Opens damaged files too, with everything whole in them. */
  repair: boolean;
  /** Receives one sentence for each loss at opening. */
  onLoss: (message: string) => void;
}
