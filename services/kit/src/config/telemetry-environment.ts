/** Returns the environment variables that OpenTelemetry itself reads. */
export const telemetryEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_')));
