import type { InvoiceStatus } from '@tautan/proto';
import { invoiceStatuses, type ProviderInvoice } from './provider-objects.js';

export interface Invoice extends ProviderInvoice {
  /** inv_… */
  _id: string;
  workspaceId: string;
}

/** Returns whether a status may replace another, so that an older read never overwrites a later one. */
export const mayFollow = (next: InvoiceStatus, status: InvoiceStatus): boolean =>
  invoiceStatuses.indexOf(next) >= invoiceStatuses.indexOf(status);
