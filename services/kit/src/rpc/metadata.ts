import { Metadata } from '@grpc/grpc-js';
import type { Principal } from '../principal.js';
import { fail } from '../errors.js';
import { traceparent } from '../telemetry/telemetry.js';

const PRINCIPAL_KEY = 'principal-bin';

/** The request id of a call, and the principal that it acts for. */
export interface CallerContext {
  requestId: string;
  principal?: Principal;
}

export function toMetadata(caller: CallerContext): Metadata {
  const metadata = new Metadata();
  metadata.set('x-request-id', caller.requestId);
  if (caller.principal) metadata.set(PRINCIPAL_KEY, Buffer.from(JSON.stringify(caller.principal)));
  const trace = traceparent();
  if (trace !== undefined) metadata.set('traceparent', trace);
  return metadata;
}

/** Returns the trace of a call as a W3C traceparent, if it has one. */
export const traceparentOf = (metadata: Metadata): string | undefined => metadata.get('traceparent')[0]?.toString();

/** Returns the request id of a call; empty if there is none. */
export const requestIdOf = (metadata: Metadata): string => String(metadata.get('x-request-id')[0] ?? '');

/** Returns the principal of a call, or null. Throws UNAUTHENTICATED if it is malformed. */
export function principalOf(metadata: Metadata): Principal | null {
  const carried = metadata.get(PRINCIPAL_KEY)[0];
  if (carried === undefined) return null;
  const trace = traceparent();
  // A gateway of an earlier version sends no plan. Until it is replaced, no plan limit applies.
  const principal = { plan: 'UNLIMITED' as const, ...parsePrincipal(carried.toString()) };
  return trace === undefined ? principal : { ...principal, traceparent: trace };
}

function parsePrincipal(text: string): Omit<Principal, 'plan'> {
  try {
    const parsed = JSON.parse(text) as Partial<Principal>;
    const required = [parsed.workspaceId, parsed.kind, parsed.id, parsed.role];
    if (required.every((field) => typeof field === 'string')) return parsed as Omit<Principal, 'plan'>;
  } catch {
    // Not JSON, or null.
  }
  throw fail('UNAUTHENTICATED', 'The principal of this call cannot be read.');
}
