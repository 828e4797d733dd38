import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { newUlid } from '@tautan/kit';

/**
 * The provider's behavior. `garbage` responds with invalid data, and `flood` with too much. `loses responses` makes the
 * requested change, then closes the connection instead of responding.
 */
export type Behavior = 'up' | 'down' | 'slow' | '500' | 'garbage' | 'flood' | 'loses responses';

type Status = 'active' | 'invited';
export interface MemberRow {
  id: string;
  userId: string | null;
  email: string;
  name: string;
  role: string;
  status: Status;
  joinedAt: string | null;
}
export interface WorkspaceRow {
  id: string;
  name: string;
  createdAt: string;
  members: MemberRow[];
}

/** The workspace endpoints of an identity provider, in memory. A token is `token-<subject>`. */
export class TestProvider {
  behavior: Behavior = 'up';
  /** Duration of a slow response, milliseconds. */
  slowMs = 1_500;
  /** Called after each successful change, before its response. */
  onChange: () => Promise<void> = async () => {};
  readonly workspaces = new Map<string, WorkspaceRow>();
  /** `<method> <path>` of all requests so far. */
  readonly requests: string[] = [];
  /** Number of requests that have no complete response yet. */
  openRequests = 0;
  readonly #server = createServer((request, response) => {
    this.openRequests += 1;
    response.once('close', () => (this.openRequests -= 1));
    this.#answer(request, response).catch(() => response.destroy());
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Requests that change something. */
  get writes(): string[] {
    return this.requests.filter((line) => !line.startsWith('GET'));
  }

  /** Creates a workspace at the provider, outside of Tautan. */
  aWorkspace(name: string, ...members: Partial<MemberRow>[]): WorkspaceRow {
    const row = { id: newUlid(), name, createdAt: new Date().toISOString(), members: members.map(aMember) };
    this.workspaces.set(row.id, row);
    return row;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const body = await text(request);
    this.requests.push(`${method} ${url}`);
    if (this.behavior === 'down') return void response.destroy();
    if (this.behavior === 'slow') await new Promise((resolve) => setTimeout(resolve, this.slowMs));
    if (this.behavior === '500') return end(response, 500, 'oops');
    if (this.behavior === 'garbage') return end(response, 200, '{"data": [{"id": 7}]}');
    if (this.behavior === 'flood') return end(response, 200, `{"data":"${'x'.repeat(2_000_000)}"}`);
    const subject = /^Bearer token-(.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const [status, data] = subject
      ? this.#route(method, url.split('/').slice(4), subject, (body ? JSON.parse(body) : {}) as Record<string, string>)
      : [401, null];
    if (method !== 'GET' && status < 300) await this.onChange();
    if (this.behavior === 'loses responses') return void response.destroy();
    end(response, status, JSON.stringify(status < 300 ? { data } : { error: { code: 'refused', message: '' } }));
  }

  #route(method: string, path: string[], subject: string, body: Record<string, string>): [number, unknown] {
    const [workspaceId, , memberId] = path;
    if (!workspaceId && method === 'GET') return [200, this.#own(subject)];
    if (!workspaceId) {
      const created = this.aWorkspace(body['name']!, { userId: subject, email: emailOf(subject), role: 'owner' });
      return [201, view(created, 'owner')];
    }
    const workspace = this.workspaces.get(workspaceId);
    if (!workspace) return [404, null];
    const me = workspace.members.find(({ userId, status }) => userId === subject && status === 'active');
    if (!me) return [403, null];
    if (method === 'GET') return [200, workspace.members];
    if (method === 'DELETE' && memberId === me.id) return this.#member(method, workspace, memberId, body);
    if (me.role !== 'owner' && me.role !== 'admin') return [403, null];
    if (path.length === 1) return [200, view(Object.assign(workspace, { name: body['name'] }), me.role)];
    return memberId ? this.#member(method, workspace, memberId, body) : invite(workspace, body);
  }

  /** Returns the workspaces of a user, and accepts the user's invitations. */
  #own(subject: string): unknown[] {
    const rows = [...this.workspaces.values()];
    return rows.flatMap((workspace) => {
      const me = workspace.members.find((member) => isOf(member, subject));
      if (!me) return [];
      if (me.status === 'invited')
        Object.assign(me, { status: 'active', userId: subject, joinedAt: new Date().toISOString() });
      return [view(workspace, me.role)];
    });
  }

  #member(method: string, workspace: WorkspaceRow, id: string, body: Record<string, string>): [number, unknown] {
    const member = workspace.members.find((row) => row.id === id);
    if (!member) return [404, null];
    if (member.role === 'owner') return [403, null];
    if (method === 'PATCH') return [200, Object.assign(member, { role: body['role'] })];
    workspace.members = workspace.members.filter((row) => row !== member);
    return [200, { id, deleted: true }];
  }
}

/** Returns the email of a subject. */
export const emailOf = (subject: string): string => `${subject}@example.com`;

const isOf = ({ userId, email }: MemberRow, subject: string): boolean =>
  userId === subject || (userId === null && email === emailOf(subject));

function invite(workspace: WorkspaceRow, body: Record<string, string>): [number, unknown] {
  if (workspace.members.some(({ email }) => email === body['email'])) return [409, null];
  const invited = aMember({ email: body['email']!, role: body['role']!, status: 'invited', userId: null });
  workspace.members.push(invited);
  return [201, invited];
}

function aMember({ status = 'active', ...fields }: Partial<MemberRow>): MemberRow {
  const joinedAt = status === 'active' ? new Date().toISOString() : null;
  return { id: newUlid(), userId: null, email: '', name: '', role: 'member', status, joinedAt, ...fields };
}

const view = ({ id, name, createdAt }: WorkspaceRow, role: string) => ({ id, name, role, createdAt });

const end = (response: ServerResponse, status: number, body: string): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
