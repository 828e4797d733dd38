// Original file: domains.proto


export interface ListDomainsRequest {
}

export interface ListDomainsRequest__Output {
}
