import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';

/** Paths of the PEM files of a certificate and its private key. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

export interface CertificateAuthority {
  /** Path of the PEM file of the authority's certificate. */
  ca: string;
  /** Issues a certificate for servers and clients that is valid for these names, and for localhost and 127.0.0.1. */
  issue(...names: string[]): CertificateFiles;
  /** Issues a certificate that contains a name only in its subject (CN), not in a SAN extension. */
  issueWithoutSan(name: string): CertificateFiles;
}

const DAY_MS = 86_400_000;

/** Creates a certificate authority in a new folder. Its certificates are valid for one day. */
export function createCertificateAuthority(): CertificateAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'tautan-certificates-'));
  const write = (name: string, pem: string): string => {
    const path = join(folder, name);
    writeFileSync(path, pem);
    return path;
  };
  const authority = keyPair();
  const issuer = [{ name: 'commonName', value: 'Test authority' }];
  const certify = (key: forge.pki.PublicKey, subject: forge.pki.CertificateField[], extensions: object[]): string => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = key;
    // The first byte 01 makes the number positive without a padding byte (X.690, 8.3.2).
    certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
    certificate.validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
    certificate.setSubject(subject);
    certificate.setIssuer(issuer);
    certificate.setExtensions(extensions);
    certificate.sign(authority.privateKey, forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  };
  const issue = (commonName: string, extensions: object[]): CertificateFiles => {
    const own = keyPair();
    const cert = certify(own.publicKey, [{ name: 'commonName', value: commonName }], extensions);
    const name = randomBytes(4).toString('hex');
    return { cert: write(`${name}.pem`, cert), key: write(`${name}.key`, own.pem) };
  };
  return {
    ca: write('ca.pem', certify(authority.publicKey, issuer, [{ name: 'basicConstraints', cA: true }])),
    issue: (...names) => {
      const altNames = [...[...names, 'localhost'].map((value) => ({ type: 2, value })), { type: 7, ip: '127.0.0.1' }];
      return issue(names[0]!, [{ name: 'subjectAltName', altNames }]);
    },
    issueWithoutSan: (name) => issue(name, []),
  };
}

function keyPair() {
  const { privateKey: pem } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const privateKey = forge.pki.privateKeyFromPem(pem);
  return { pem, privateKey, publicKey: forge.pki.setRsaPublicKey(privateKey.n, privateKey.e) };
}
