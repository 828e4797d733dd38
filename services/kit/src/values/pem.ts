import { X509Certificate } from 'node:crypto';

const certificate = /^-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/;

/** Returns the certificates of a PEM file, which may also contain a key. Throws if one is invalid or there is none. */
export function certificatesOf(pem: Buffer): X509Certificate[] {
  const blocks = pem
    .toString()
    .split(/(?=-----BEGIN )/)
    .filter((block) => certificate.test(block));
  if (blocks.length === 0) throw new Error('no certificates');
  return blocks.map((block) => new X509Certificate(block));
}
