// Original file: workspaces.proto


export interface GetConfigurationRequest {
}

export interface GetConfigurationRequest__Output {
}
