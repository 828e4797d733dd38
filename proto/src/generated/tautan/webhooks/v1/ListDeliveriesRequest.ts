// Original file: webhooks.proto


export interface ListDeliveriesRequest {
  'cursor'?: (string);
  'limit'?: (number);
  'status'?: (string);
  'subscriptionId'?: (string);
  'type'?: (string);
  '_cursor'?: "cursor";
  '_limit'?: "limit";
  '_status'?: "status";
  '_subscriptionId'?: "subscriptionId";
  '_type'?: "type";
}

export interface ListDeliveriesRequest__Output {
  'cursor'?: (string);
  'limit'?: (number);
  'status'?: (string);
  'subscriptionId'?: (string);
  'type'?: (string);
  '_cursor'?: "cursor";
  '_limit'?: "limit";
  '_status'?: "status";
  '_subscriptionId'?: "subscriptionId";
  '_type'?: "type";
}
