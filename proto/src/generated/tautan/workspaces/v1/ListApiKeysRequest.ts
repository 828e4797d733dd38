// Original file: workspaces.proto


export interface ListApiKeysRequest {
}

export interface ListApiKeysRequest__Output {
}
