// Original file: links.proto


export interface ListTagsRequest {
}

export interface ListTagsRequest__Output {
}
