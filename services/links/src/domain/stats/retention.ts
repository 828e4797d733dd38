import { DAY_MS } from './quarters.js';

/** When a day's statistics go: `days` after its end. The one place that decides it, for whichever workspace. */
export const expiryOf = (startOfDay: number, days: number): Date => new Date(startOfDay + (days + 1) * DAY_MS);
