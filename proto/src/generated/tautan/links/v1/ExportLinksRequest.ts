// Original file: links.proto


export interface ExportLinksRequest {
}

export interface ExportLinksRequest__Output {
}
