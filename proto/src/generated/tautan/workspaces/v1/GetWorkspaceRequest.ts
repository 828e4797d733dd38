// Original file: workspaces.proto


export interface GetWorkspaceRequest {
}

export interface GetWorkspaceRequest__Output {
}
