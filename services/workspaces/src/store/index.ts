// Stores that are used outside of their own resource.
export type { MemberStore } from '../members/store/members.js';
export type { WorkspaceStore } from '../workspaces/store/workspaces.js';
