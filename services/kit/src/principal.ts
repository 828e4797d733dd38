import type { PlanName } from '@tautan/proto';

/** On whose behalf a call is made, what the workspace may do, and where the request came from. */
export interface Principal {
  workspaceId: string;
  kind: 'user' | 'api_key';
  id: string;
  name: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
  /** The plan of the workspace, whose limits apply to what the call creates. */
  plan: PlanName;
  /** Address of the client as seen through trusted proxies. */
  ip: string | null;
  userAgent: string | null;
  requestId: string;
  /** The trace of the call (W3C traceparent), where it is traced. */
  traceparent?: string;
}

/** The operator of the installation, who calls on a listener that is bound to loopback. */
export interface Operator {
  kind: 'operator';
  requestId: string;
}

/** Returns the operator as the author of a call's changes. */
export const operatorOf = ({ requestId }: { requestId: string }): Operator => ({ kind: 'operator', requestId });
