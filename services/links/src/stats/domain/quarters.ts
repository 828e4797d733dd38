/** Statistics are kept by UTC days and, inside them, by quarters of an hour: every zone's days and hours begin at one. */
export const DAY_MS = 86_400_000;
export const QUARTER_MS = 900_000;
export const QUARTERS = DAY_MS / QUARTER_MS;

/** Start of the UTC day of a Unix time in milliseconds. */
export const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** The quarter of an hour of a time in its UTC day, 0 to 95. */
export const quarterOf = (ms: number): number => Math.floor((ms - startOfDay(ms)) / QUARTER_MS);
