import { fail, type Principal } from '@tautan/kit';

export type Role = Principal['role'];

/** The access rule of an operation. */
export interface Access {
  /** Accepted kinds of credentials; empty for public operations. */
  credentials: readonly ('api_key' | 'user')[];
  /** The minimum role in the workspace; `anyone` if neither a role nor a workspace is required. */
  role: Role | 'anyone';
}

const publicAccess: Access = { credentials: [], role: 'anyone' };
const anyCredential = (role: Access['role']): Access => ({ credentials: ['api_key', 'user'], role });
const usersOnly = (role: Access['role']): Access => ({ credentials: ['user'], role });

/** The access matrix: every operation and its rule. */
export const accessMatrix = {
  listLinks: anyCredential('viewer'),
  getLink: anyCredential('viewer'),
  exportLinks: anyCredential('viewer'),
  createLink: anyCredential('member'),
  updateLink: anyCredential('member'),
  deleteLink: anyCredential('member'),
  bulkLinks: anyCredential('member'),
  importLinks: anyCredential('member'),

  getLinkStats: anyCredential('viewer'),
  exportLinkStats: anyCredential('viewer'),
  getWorkspaceStats: anyCredential('viewer'),

  listQrCodes: anyCredential('viewer'),
  getQrCode: anyCredential('viewer'),
  getQrCodeStats: anyCredential('viewer'),
  createQrCode: anyCredential('member'),
  downloadQrCode: anyCredential('viewer'),
  previewQrCode: anyCredential('viewer'),
  getQrLogo: anyCredential('viewer'),
  uploadQrLogo: anyCredential('member'),
  createQrDownloadToken: anyCredential('member'),
  showQrCode: publicAccess,
  updateQrCode: anyCredential('member'),
  deleteQrCode: anyCredential('member'),

  listTags: anyCredential('viewer'),
  createTag: anyCredential('member'),
  renameTag: anyCredential('member'),
  deleteTag: anyCredential('member'),

  listDomains: anyCredential('viewer'),
  getDomain: anyCredential('viewer'),
  addDomain: anyCredential('admin'),
  updateDomain: anyCredential('admin'),
  verifyDomain: anyCredential('admin'),
  deleteDomain: anyCredential('admin'),

  listPlans: publicAccess,
  getPlan: anyCredential('viewer'),
  getSubscription: anyCredential('viewer'),
  getUsage: anyCredential('viewer'),
  listBillingHistory: anyCredential('viewer'),
  listInvoices: anyCredential('viewer'),
  createCheckout: anyCredential('admin'),
  createPortal: anyCredential('admin'),
  cancelSubscription: anyCredential('admin'),
  downgradeSubscription: anyCredential('admin'),
  resumeSubscription: anyCredential('admin'),
  receiveProviderWebhook: publicAccess,
  showBillingReturn: publicAccess,

  listWorkspaces: anyCredential('anyone'),
  createWorkspace: usersOnly('anyone'),
  switchWorkspace: usersOnly('anyone'),
  getCurrentWorkspace: anyCredential('viewer'),
  updateCurrentWorkspace: usersOnly('admin'),

  listMembers: anyCredential('viewer'),
  inviteMember: usersOnly('admin'),
  changeMemberRole: usersOnly('admin'),
  // Every member except the owner may leave; the workspaces service lets only owners and admins remove others.
  removeMember: usersOnly('viewer'),

  listAuditLog: anyCredential('admin'),

  listWebhooks: anyCredential('viewer'),
  createWebhook: anyCredential('admin'),
  updateWebhook: anyCredential('admin'),
  deleteWebhook: anyCredential('admin'),
  rotateWebhookSecret: anyCredential('admin'),
  testWebhook: anyCredential('admin'),
  listDeliveries: anyCredential('viewer'),
  // The webhooks service withholds bodies from members and viewers.
  getDelivery: anyCredential('viewer'),
  retryDelivery: anyCredential('admin'),
  listEventTypes: anyCredential('viewer'),

  listApiKeys: anyCredential('admin'),
  mintApiKey: usersOnly('admin'),
  revokeApiKey: usersOnly('admin'),

  signUp: publicAccess,
  logIn: publicAccess,
  refreshSession: publicAccess,
  logOut: publicAccess,
  forgotPassword: publicAccess,
  beginSignIn: publicAccess,
  finishSignIn: publicAccess,
  getSession: anyCredential('anyone'),
  listSessions: usersOnly('anyone'),
  revokeSession: usersOnly('anyone'),
  revokeOtherSessions: usersOnly('anyone'),
  getAuthConfiguration: publicAccess,

  getOpenApi: publicAccess,
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
