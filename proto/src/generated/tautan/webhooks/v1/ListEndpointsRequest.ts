// Original file: webhooks.proto


export interface ListEndpointsRequest {
}

export interface ListEndpointsRequest__Output {
}
