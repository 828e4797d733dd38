import type { PlanName } from '@tautan/proto';

/** The caller of an RPC: user or API key, workspace and plan, and the origin of the request. */
export interface Principal {
  workspaceId: string;
  kind: 'user' | 'api_key';
  id: string;
  name: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
  /** The plan of the workspace, whose limits apply to the call. */
  plan: PlanName;
  /** Client address, resolved through trusted proxies. */
  ip: string | null;
  userAgent: string | null;
  requestId: string;
  /** W3C traceparent of the call, if it is traced. */
  traceparent?: string;
}

/** The operator of the installation, who calls through a loopback listener. */
export interface Operator {
  kind: 'operator';
  requestId: string;
}

/** Returns the operator as the author of a call's changes. */
export const operatorOf = ({ requestId }: { requestId: string }): Operator => ({ kind: 'operator', requestId });
