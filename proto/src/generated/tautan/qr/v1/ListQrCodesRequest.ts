// Original file: qr.proto


export interface ListQrCodesRequest {
  'q'?: (string);
  'tags'?: (string)[];
  'status'?: (string);
  'linkId'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  '_q'?: "q";
  '_status'?: "status";
  '_linkId'?: "linkId";
  '_cursor'?: "cursor";
}

export interface ListQrCodesRequest__Output {
  'q'?: (string);
  'tags': (string)[];
  'status'?: (string);
  'linkId'?: (string);
  'limit': (number);
  'cursor'?: (string);
  '_q'?: "q";
  '_status'?: "status";
  '_linkId'?: "linkId";
  '_cursor'?: "cursor";
}
