// Original file: billing.proto

import type { Invoice as _tautan_billing_v1_Invoice, Invoice__Output as _tautan_billing_v1_Invoice__Output } from '../../../tautan/billing/v1/Invoice.js';

export interface ListInvoicesResponse {
  'invoices'?: (_tautan_billing_v1_Invoice)[];
  'nextCursor'?: (string);
  '_nextCursor'?: "nextCursor";
}

export interface ListInvoicesResponse__Output {
  'invoices': (_tautan_billing_v1_Invoice__Output)[];
  'nextCursor'?: (string);
  '_nextCursor'?: "nextCursor";
}
