// Original file: billing.proto


export interface ReceiveNoticeResponse {
}

export interface ReceiveNoticeResponse__Output {
}
