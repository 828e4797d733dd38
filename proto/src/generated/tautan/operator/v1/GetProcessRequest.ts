// Original file: operator.proto


export interface GetProcessRequest {
}

export interface GetProcessRequest__Output {
}
