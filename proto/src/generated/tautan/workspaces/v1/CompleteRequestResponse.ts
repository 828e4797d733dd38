// Original file: workspaces.proto


export interface CompleteRequestResponse {
}

export interface CompleteRequestResponse__Output {
}
