import { fail, type Principal } from '@tautan/kit';

export type Role = Principal['role'];

/** The access rule of an operation. */
export interface Access {
  /** Accepted kinds of credentials; empty for public operations. */
  credentials: readonly ('api_key' | 'user')[];
  /** The minimum role in the workspace; `anyone`: any signed-in user, even without a workspace. */
  role: Role | 'anyone';
}

const everybody: Access = { credentials: [], role: 'anyone' };
const allow = (role: Access['role']): Access => ({ credentials: ['api_key', 'user'], role });
const users = (role: Access['role']): Access => ({ credentials: ['user'], role });

/** The access matrix: every operation and its rule. */
export const accessMatrix = {
  listLinks: allow('viewer'),
  getLink: allow('viewer'),
  exportLinks: allow('viewer'),
  createLink: allow('member'),
  updateLink: allow('member'),
  deleteLink: allow('member'),
  bulkLinks: allow('member'),
  importLinks: allow('member'),

  getLinkStats: allow('viewer'),
  exportLinkStats: allow('viewer'),
  getWorkspaceStats: allow('viewer'),

  listQrCodes: allow('viewer'),
  getQrCode: allow('viewer'),
  getQrCodeStats: allow('viewer'),
  createQrCode: allow('member'),
  downloadQrCode: allow('viewer'),
  previewQrCode: allow('viewer'),
  getQrLogo: allow('viewer'),
  uploadQrLogo: allow('member'),
  createQrDownloadToken: allow('member'),
  showQrCode: everybody,
  updateQrCode: allow('member'),
  deleteQrCode: allow('member'),

  listTags: allow('viewer'),
  createTag: allow('member'),
  renameTag: allow('member'),
  deleteTag: allow('member'),

  listDomains: allow('viewer'),
  getDomain: allow('viewer'),
  addDomain: allow('admin'),
  updateDomain: allow('admin'),
  verifyDomain: allow('admin'),
  deleteDomain: allow('admin'),

  listPlans: everybody,
  getPlan: allow('viewer'),
  getSubscription: allow('viewer'),
  getUsage: allow('viewer'),
  listBillingHistory: allow('viewer'),
  listInvoices: allow('viewer'),
  createCheckout: allow('admin'),
  createPortal: allow('admin'),
  cancelSubscription: allow('admin'),
  downgradeSubscription: allow('admin'),
  resumeSubscription: allow('admin'),
  receiveProviderNotice: everybody,
  showBillingReturn: everybody,

  listWorkspaces: allow('anyone'),
  createWorkspace: users('anyone'),
  switchWorkspace: users('anyone'),
  getCurrentWorkspace: allow('viewer'),
  updateCurrentWorkspace: users('admin'),

  listMembers: allow('viewer'),
  inviteMember: users('admin'),
  changeMemberRole: users('admin'),
  // Every member may leave; the workspaces service lets only owners and admins remove others.
  removeMember: users('viewer'),

  listAuditLog: allow('admin'),

  listWebhooks: allow('viewer'),
  createWebhook: allow('admin'),
  updateWebhook: allow('admin'),
  deleteWebhook: allow('admin'),
  rotateWebhookSecret: allow('admin'),
  testWebhook: allow('admin'),
  listDeliveries: allow('viewer'),
  // The webhooks service withholds bodies from members and viewers.
  getDelivery: allow('viewer'),
  retryDelivery: allow('admin'),
  listEventTypes: allow('viewer'),

  listApiKeys: allow('admin'),
  mintApiKey: users('admin'),
  revokeApiKey: users('admin'),

  signUp: everybody,
  logIn: everybody,
  refreshSession: everybody,
  logOut: everybody,
  forgotPassword: everybody,
  beginSignIn: everybody,
  finishSignIn: everybody,
  getSession: allow('anyone'),
  listSessions: users('anyone'),
  revokeSession: users('anyone'),
  revokeOtherSessions: users('anyone'),
  getAuthConfiguration: everybody,

  getOpenApi: everybody,
} satisfies Record<string, Access>;

export type OperationId = keyof typeof accessMatrix;

/** The access rule of an operation. */
export const accessOf = ({ id }: { id: OperationId }): Access => accessMatrix[id];

export const isPublic = (route: { id: OperationId }): boolean => accessOf(route).credentials.length === 0;

const rank: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** The caller: the kind of credential, and the role in the workspace; null without a workspace. */
interface Caller {
  kind: Principal['kind'];
  role: Role | null;
}

/** Throws PERSON_ONLY for an API key on an operation for users, and FORBIDDEN for a missing or insufficient role. */
export function assertAllowed({ credentials, role: minimum }: Access, { kind, role }: Caller): void {
  if (kind === 'api_key' && !credentials.includes('api_key')) {
    throw fail('PERSON_ONLY', 'This operation requires a signed-in user. API keys cannot use it.');
  }
  if (minimum === 'anyone') return;
  if (role === null) {
    throw fail('FORBIDDEN', 'You are not a member of a workspace. Create one, or ask for an invitation.');
  }
  if (rank[role] >= rank[minimum]) return;
  throw fail(
    'FORBIDDEN',
    `This operation requires the role ${minimum}${minimum === 'owner' ? '' : ' or higher'}. Your role is ${role}.`,
  );
}
