// Statistics are stored by UTC days and quarter hours, because the days and hours of every zone begin at a quarter
// hour.

export const DAY_MS = 86_400_000;
export const QUARTER_MS = 900_000;
export const QUARTERS = DAY_MS / QUARTER_MS;

/** Returns the start of the UTC day of a time in Unix milliseconds. */
export const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** Returns the quarter hour of a time within its UTC day, 0 to 95. */
export const quarterOf = (ms: number): number => Math.floor((ms - startOfDay(ms)) / QUARTER_MS);
