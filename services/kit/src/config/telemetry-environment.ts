/** Variables read by OpenTelemetry itself. */
export const telemetryEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_')));
