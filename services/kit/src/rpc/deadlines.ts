/** The longest that any call may take, milliseconds: an export of all links of a workspace. */
export const MAX_DEADLINE_MS = 10 * 60_000;
