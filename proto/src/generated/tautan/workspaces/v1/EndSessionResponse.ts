// Original file: workspaces.proto


export interface EndSessionResponse {
}

export interface EndSessionResponse__Output {
}
