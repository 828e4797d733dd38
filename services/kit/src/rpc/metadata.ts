import { Metadata } from '@grpc/grpc-js';
import type { Principal } from '../principal.js';
import { injectTrace } from '../telemetry.js';

/** Who calls, and under which request id. */
export interface CallerContext {
  requestId: string;
  principal?: Principal;
}

export function toMetadata(caller: CallerContext): Metadata {
  const metadata = new Metadata();
  metadata.set('x-request-id', caller.requestId);
  if (caller.principal) metadata.set('principal-bin', Buffer.from(JSON.stringify(caller.principal)));
  for (const [key, value] of Object.entries(injectTrace({}))) metadata.set(key, value);
  return metadata;
}

export function fromMetadata(metadata: Metadata): CallerContext {
  const principal = metadata.get('principal-bin')[0];
  return {
    requestId: String(metadata.get('x-request-id')[0] ?? ''),
    ...(principal !== undefined && { principal: JSON.parse(principal.toString()) as Principal }),
  };
}
