// Re-exports the store types that resources need from each other, because a resource must not import the `store/` folder
// of another.
export type { MemberStore } from '../members/store/members.js';
export type { WorkspaceStore } from '../workspaces/store/workspaces.js';
