import { readFile } from 'node:fs/promises';
import { Gauge, type Registry } from './metrics.js';
import { certificatesOf } from '../values/pem.js';

/**
 * Exports the expiry of this process's certificates. `files`: paths of PEM files by kind of connection. They are read
 * at each scrape, because certificates are rotated on disk.
 */
export function meterCertificates(registry: Registry, files: Record<string, string | undefined>): void {
  new Gauge({
    name: 'tautan_certificate_expiry_timestamp_seconds',
    help: "Earliest expiry of the process's own certificate and the intermediates in its file, by kind of connection; 0 if the file cannot be read",
    labelNames: ['use'],
    registers: [registry],
    async collect() {
      for (const [use, path] of Object.entries(files)) if (path) this.set({ use }, await expiryOf(path));
    },
  });
}

const expiryOf = (path: string): Promise<number> =>
  readFile(path)
    .then((pem) => Math.min(...certificatesOf(pem).map(({ validTo }) => Date.parse(validTo))) / 1_000)
    .catch(() => 0);
