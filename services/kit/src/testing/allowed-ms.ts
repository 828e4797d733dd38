const scale = Number(process.env['TEST_TIME_SCALE'] ?? 1);

/**
 * Returns the time in ms that a test allows for something that takes `ms` at most on an idle machine. CI runs several
 * test files at once, and sets TEST_TIME_SCALE to allow more. The result is at most 20 s, or `ms` if that is longer, so
 * that a test fails with its own message before Jest's timeout.
 */
export const allowedMs = (ms: number): number => Math.max(ms, Math.min(ms * scale, 20_000));
