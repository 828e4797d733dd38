// Original file: billing.proto


export interface GetPlanRequest {
}

export interface GetPlanRequest__Output {
}
