import { Counter, type Registry } from '@tautan/kit';

/** Returns a function that increments `tautan_qr_unused_logos_deleted_total`. */
export function countDeletedLogos(registry: Registry): (count: number) => void {
  const counter = new Counter({
    name: 'tautan_qr_unused_logos_deleted_total',
    help: 'Logos deleted because no QR code used them',
    registers: [registry],
  });
  return (count) => counter.inc(count);
}
