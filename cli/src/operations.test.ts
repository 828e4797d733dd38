import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from '@jest/globals';
import { buildProgram } from './program.js';

/** The command of each operation, or the reason why it has none. */
const commands: Record<string, string | { exempt: string }> = {
  listLinks: 'links list',
  createLink: 'links create',
  getLink: 'links get',
  updateLink: 'links update',
  deleteLink: 'links delete',
  bulkLinks: 'links bulk',
  importLinks: 'links import',
  exportLinks: 'links export',
  getLinkStats: 'links stats',
  exportLinkStats: 'links stats export',
  listQrCodes: 'qr list',
  createQrCode: 'qr create',
  getQrCode: 'qr get',
  updateQrCode: 'qr update',
  deleteQrCode: 'qr delete',
  downloadQrCode: 'qr download',
  createQrDownloadToken: 'qr share',
  getQrCodeStats: 'qr stats',
  uploadQrLogo: 'qr upload-logo',
  getQrLogo: 'qr download-logo',
  listTags: 'tags list',
  createTag: 'tags create',
  renameTag: 'tags rename',
  deleteTag: 'tags delete',
  listDomains: 'domains list',
  addDomain: 'domains add',
  getDomain: 'domains get',
  updateDomain: 'domains update',
  deleteDomain: 'domains delete',
  verifyDomain: 'domains verify',
  listWorkspaces: 'workspaces list',
  createWorkspace: 'workspaces create',
  switchWorkspace: 'workspaces switch',
  getCurrentWorkspace: 'workspaces get',
  updateCurrentWorkspace: 'workspaces rename',
  getWorkspaceStats: 'workspaces stats',
  listMembers: 'members list',
  inviteMember: 'members invite',
  changeMemberRole: 'members role',
  removeMember: 'members remove',
  listPlans: 'billing plans',
  getPlan: 'billing plan',
  getSubscription: 'billing subscription',
  getUsage: 'billing usage',
  listBillingHistory: 'billing history',
  createCheckout: 'billing checkout',
  createPortal: 'billing portal',
  cancelSubscription: 'billing cancel',
  downgradeSubscription: 'billing downgrade',
  resumeSubscription: 'billing resume',
  listAuditLog: 'audit-log',
  listWebhooks: 'webhooks list',
  createWebhook: 'webhooks create',
  updateWebhook: 'webhooks update',
  deleteWebhook: 'webhooks delete',
  rotateWebhookSecret: 'webhooks rotate-secret',
  testWebhook: 'webhooks test',
  listDeliveries: 'webhooks deliveries list',
  getDelivery: 'webhooks deliveries get',
  retryDelivery: 'webhooks deliveries retry',
  listEventTypes: 'webhooks event-types',
  listApiKeys: 'keys list',
  mintApiKey: 'keys create',
  revokeApiKey: 'keys revoke',
  getSession: 'whoami',
  getAuthConfiguration: 'login',
  listSessions: 'sessions list',
  revokeSession: 'sessions revoke',
  revokeOtherSessions: 'sessions revoke-all',
  listInvoices: { exempt: 'the same as listBillingHistory' },
  receiveProviderWebhook: { exempt: 'called by the payment provider' },
  showBillingReturn: { exempt: 'a page for browsers' },
  previewQrCode: { exempt: 'an image for the QR code editor of the web application' },
  showQrCode: { exempt: 'a URL for image tags' },
  signUp: { exempt: 'users sign up in the browser; the CLI signs in with the device flow' },
  logIn: { exempt: 'the CLI signs in with the device flow' },
  refreshSession: { exempt: 'the CLI refreshes its tokens at the identity provider' },
  logOut: { exempt: 'the CLI revokes its tokens at the identity provider' },
  forgotPassword: { exempt: 'users request a new password in the browser' },
  beginSignIn: { exempt: 'a redirect for browsers' },
  finishSignIn: { exempt: 'a redirect for browsers' },
  getOpenApi: { exempt: 'the description of the API itself' },
};

const source = join(import.meta.dirname, '..', 'src');
const api = readFileSync(join(source, '..', '..', 'sdk', 'src', 'generated', 'api.ts'), 'utf8');

/** Every operation of the generated client: id, method and path relative to /api/v1. */
const operations = [...api.matchAll(/^ {4}"([^"]+)": \{\n(.*?)\n {4}\};/gms)].flatMap(([, path, methods]) =>
  [...methods!.matchAll(/^ {8}(\w+): operations\["(\w+)"\];/gm)].map(([, method, id]) => ({
    id: id!,
    method: method!,
    path: path!.replace('/api/v1', ''),
  })),
);

function pathsOf(command: Command, parents: string[] = []): string[] {
  return command.commands.flatMap((one) => {
    const path = [...parents, one.name()];
    return [path.join(' '), ...pathsOf(one, path)];
  });
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && !name.startsWith('testing'))
  .map((name) => readFileSync(join(source, name), 'utf8'));

test('every API operation has a command or a documented reason for having none', () => {
  expect(operations.length).toBeGreaterThan(70);
  expect(operations.map(({ id }) => id).filter((id) => !(id in commands))).toEqual([]);
  expect(Object.keys(commands).filter((id) => !operations.some((one) => one.id === id))).toEqual([]);
});

test('every listed command exists', () => {
  const known = pathsOf(buildProgram());
  const named = Object.values(commands).filter((one) => typeof one === 'string');
  expect(named.filter((path) => !known.includes(path))).toEqual([]);
});

describe('the CLI calls the operation through the SDK:', () => {
  const called = operations.filter(({ id }) => typeof commands[id] === 'string');
  test.each(called)('$id', ({ method, path }) => {
    const clientMethods = method === 'get' ? '(?:get|page|fetch)' : method;
    const call = new RegExp(`\\.${clientMethods}\\(\\s*'${path.replace(/[{}/]/g, '\\$&')}'`);
    expect(files.filter((text) => call.test(text))).not.toEqual([]);
  });
});
