// Original file: billing.proto


export interface Invoice {
  'id'?: (string);
  'date'?: (string);
  'description'?: (string);
  'amount'?: (number | string);
  'currency'?: (string);
  'status'?: (string);
  'invoiceUrl'?: (string);
  '_invoiceUrl'?: "invoiceUrl";
}

export interface Invoice__Output {
  'id': (string);
  'date': (string);
  'description': (string);
  'amount': (number);
  'currency': (string);
  'status': (string);
  'invoiceUrl'?: (string);
  '_invoiceUrl'?: "invoiceUrl";
}
