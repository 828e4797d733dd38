import { status as Status, type StatusObject } from '@grpc/grpc-js';
import { describeSpan, type SpanOptions } from '../telemetry.js';

/** Statuses that are the server's fault. */
const serverErrors: ReadonlySet<Status> = new Set([
  Status.UNKNOWN,
  Status.DEADLINE_EXCEEDED,
  Status.UNIMPLEMENTED,
  Status.INTERNAL,
  Status.UNAVAILABLE,
  Status.DATA_LOSS,
]);

/** The name of a call and its span, by the semantic conventions for gRPC. */
export function callSpan(kind: 'client' | 'server', path: string): { name: string; options: SpanOptions } {
  const name = path.slice(1);
  const errorOf = (error: unknown): string | undefined => {
    const code = codeOf(error);
    return kind === 'client' || serverErrors.has(code) ? Status[code] : undefined;
  };
  return { name, options: { kind, attributes: { 'rpc.system.name': 'grpc', 'rpc.method': name }, errorOf } };
}

/** Adds the status of a call to its span: OK, or that of the error which ended it. */
export const describeStatus = (error?: unknown): void =>
  describeSpan(() => ({ 'rpc.response.status_code': Status[error === undefined ? Status.OK : codeOf(error)] }));

const codeOf = (error: unknown): Status => (error as Partial<StatusObject>).code ?? Status.UNKNOWN;
