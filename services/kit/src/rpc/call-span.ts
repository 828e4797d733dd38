import { status as Status, type StatusObject } from '@grpc/grpc-js';
import { describeSpan, type SpanOptions } from '../telemetry/telemetry.js';

/** Status codes of server errors. */
const serverErrors: ReadonlySet<Status> = new Set([
  Status.UNKNOWN,
  Status.DEADLINE_EXCEEDED,
  Status.UNIMPLEMENTED,
  Status.INTERNAL,
  Status.UNAVAILABLE,
  Status.DATA_LOSS,
]);

/** Returns the name and the span options of a call (OpenTelemetry semantic conventions for gRPC). */
export function callSpan(kind: 'client' | 'server', path: string): { name: string; options: SpanOptions } {
  const name = path.slice(1);
  const errorOf = (error: unknown): string | undefined => {
    const code = codeOf(error);
    return kind === 'client' || serverErrors.has(code) ? Status[code] : undefined;
  };
  return { name, options: { kind, attributes: { 'rpc.system.name': 'grpc', 'rpc.method': name }, errorOf } };
}

/** Records the call's gRPC status code on the current span: OK, or that of the error. */
export const describeStatus = (error?: unknown): void =>
  describeSpan(() => ({ 'rpc.response.status_code': Status[error === undefined ? Status.OK : codeOf(error)] }));

const codeOf = (error: unknown): Status => (error as Partial<StatusObject>).code ?? Status.UNKNOWN;
