// The stores that resources use of each other.
export type { MemberStore } from '../members/store/members.js';
export type { WorkspaceStore } from '../workspaces/store/workspaces.js';
