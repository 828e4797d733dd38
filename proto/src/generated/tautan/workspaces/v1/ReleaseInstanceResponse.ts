// Original file: workspaces.proto


export interface ReleaseInstanceResponse {
}

export interface ReleaseInstanceResponse__Output {
}
