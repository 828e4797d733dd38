// Types of the stores that code of other resources uses.
export type { MemberStore } from '../members/store/members.js';
export type { WorkspaceStore } from '../workspaces/store/workspaces.js';
