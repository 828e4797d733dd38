// Types of the stores that are used outside the folder of their resource.
export type { MemberStore } from '../members/store/members.js';
export type { WorkspaceStore } from '../workspaces/store/workspaces.js';
