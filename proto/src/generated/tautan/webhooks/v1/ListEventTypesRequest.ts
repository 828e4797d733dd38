// Original file: webhooks.proto


export interface ListEventTypesRequest {
}

export interface ListEventTypesRequest__Output {
}
