// Original file: workspaces.proto


export interface ForgotPasswordResponse {
}

export interface ForgotPasswordResponse__Output {
}
