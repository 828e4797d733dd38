// Original file: operator.proto


export interface ListProcessesRequest {
}

export interface ListProcessesRequest__Output {
}
