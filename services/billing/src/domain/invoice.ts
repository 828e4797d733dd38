import { invoiceStatuses, type InvoiceStatus, type ProvidedInvoice } from './provided.js';

export interface Invoice extends ProvidedInvoice {
  /** inv_… */
  _id: string;
  workspaceId: string;
}

/** Whether a status may follow another: a look from before is never written over a later one. */
export const mayFollow = (next: InvoiceStatus, status: InvoiceStatus): boolean =>
  invoiceStatuses.indexOf(next) >= invoiceStatuses.indexOf(status);
