// Original file: workspaces.proto


export interface ReleaseRequestResponse {
}

export interface ReleaseRequestResponse__Output {
}
