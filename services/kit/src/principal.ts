/** For whom a call is made, and where the request came from. */
export interface Principal {
  workspaceId: string;
  kind: 'user' | 'api_key';
  id: string;
  name: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
  /** Address of the client as seen through trusted proxies. */
  ip: string | null;
  userAgent: string | null;
  requestId: string;
}
