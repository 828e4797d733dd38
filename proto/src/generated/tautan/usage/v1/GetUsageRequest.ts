// Original file: usage.proto


export interface GetUsageRequest {
}

export interface GetUsageRequest__Output {
}
