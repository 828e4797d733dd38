import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config/config.js';
import type { Log } from '../telemetry/log.js';
import { Gauge, type Registry } from '../telemetry/metrics.js';
import { startInterval } from '../async/interval.js';
import type { RpcTlsConfig } from '../config/rpc-settings.js';
import { certificatesOf } from '../values/pem.js';

/** Paths of the PEM files of mutual TLS. */
export interface TlsFiles {
  /** Certificate authorities of the peers. */
  ca: string;
  /** The process's certificate, followed by intermediates. */
  cert: string;
  key: string;
}

/** Contents of the files. */
type Pem = Record<keyof TlsFiles, Buffer>;

export interface CertificatesOptions {
  files: TlsFiles;
  log: Log;
  registry: Registry;
  /** Interval between two reads of the files, milliseconds (default 10,000). */
  pollMs?: number;
}

const POLL_MS = 10_000;

/**
 * The certificates that a process uses for gRPC. The files are polled, because file watchers miss the symlink swap by
 * which Kubernetes updates mounted Secrets. Invalid files are logged, and the previous certificates stay in use.
 */
export class Certificates {
  #pem: Pem;
  #problem: string | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #expiry: Gauge;
  readonly #job: { stop(): Promise<void> };

  /** Throws a ConfigError if a file is invalid. */
  constructor(private readonly options: CertificatesOptions) {
    this.#expiry = new Gauge({
      name: 'tautan_rpc_certificate_expiry_timestamp_seconds',
      help: 'Expiry of the gRPC certificate (cert) and latest expiry of the trusted authorities (ca), Unix time in seconds',
      labelNames: ['file'],
      registers: [options.registry],
    });
    try {
      this.#use((this.#pem = read(options.files)));
    } catch (error) {
      throw new ConfigError([(error as Error).message]);
    }
    const { log, pollMs: everyMs = POLL_MS } = options;
    this.#job = startInterval(async () => this.#reload(), { name: 'certificates', everyMs, ready: () => true, log });
  }

  /** The last valid contents of the files. */
  get current(): Readonly<Pem> {
    return this.#pem;
  }

  /** Calls `listener` after each replacement. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stop(): Promise<void> {
    return this.#job.stop();
  }

  #reload(): void {
    const { files, log } = this.options;
    try {
      const pem = read(files);
      // If the files differ between two reads, their replacement is not complete. The next interval reads them again.
      const isReplaced = !isEqual(pem, this.#pem) && isEqual(pem, read(files));
      if (isReplaced) this.#use(pem);
      this.#problem = undefined;
      if (!isReplaced) return;
    } catch (error) {
      this.#warn((error as Error).message);
      return;
    }
    log.info('certificates were replaced');
    for (const listener of this.#listeners) listener();
  }

  /** Starts using new contents of the files. Throws if they are invalid. */
  #use(pem: Pem): void {
    const { chain, authorities } = parse(pem);
    this.#pem = pem;
    // A chain is valid until any of its certificates expires; peers are trusted until all authorities have expired.
    this.#expiry.set({ file: 'cert' }, Math.min(...chain.map(expiryOf)) / 1000);
    this.#expiry.set({ file: 'ca' }, Math.max(...authorities.map(expiryOf)) / 1000);
  }

  #warn(reason: string): void {
    if (reason !== this.#problem)
      this.options.log.warn({ reason }, 'new certificates cannot be used; the previous ones stay in use');
    this.#problem = reason;
  }
}

/** Opens the configured certificates; returns undefined for plaintext. */
export function openCertificates(
  { RPC_TLS_CA: ca, RPC_TLS_CERT: cert, RPC_TLS_KEY: key }: Partial<RpcTlsConfig>,
  options: Pick<CertificatesOptions, 'log' | 'registry'>,
): Certificates | undefined {
  return ca && cert && key ? new Certificates({ files: { ca, cert, key }, ...options }) : undefined;
}

const settings: Record<keyof TlsFiles, string> = { ca: 'RPC_TLS_CA', cert: 'RPC_TLS_CERT', key: 'RPC_TLS_KEY' };

function read(files: TlsFiles): Pem {
  const readOne = (name: keyof TlsFiles): Buffer => {
    try {
      return readFileSync(files[name]);
    } catch (error) {
      throw new Error(`${settings[name]}: cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
    }
  };
  return { ca: readOne('ca'), cert: readOne('cert'), key: readOne('key') };
}

const isEqual = (a: Pem, b: Pem): boolean => a.ca.equals(b.ca) && a.cert.equals(b.cert) && a.key.equals(b.key);

/**
 * Parses certificates and key. Throws an error if one is invalid, the chain has expired, or the key does not match it.
 */
function parse({ ca, cert, key }: Pem): Record<'chain' | 'authorities', X509Certificate[]> {
  const authorities = certificatesIn('ca', ca);
  const chain = certificatesIn('cert', cert);
  if (!chain[0]!.checkPrivateKey(keyIn(key))) throw new Error(`${settings.key}: does not belong to ${settings.cert}`);
  const expired = chain.find((each) => expiryOf(each) < Date.now());
  if (expired) throw new Error(`${settings.cert}: expired on ${expired.validTo}`);
  try {
    createSecureContext({ ca, cert, key });
  } catch (error) {
    const { reason, message } = error as Error & { reason?: string };
    throw new Error(`${settings.cert}: cannot be used for TLS (${reason ?? message})`, { cause: error });
  }
  return { chain, authorities };
}

function certificatesIn(name: 'ca' | 'cert', pem: Buffer): X509Certificate[] {
  try {
    return certificatesOf(pem);
  } catch (error) {
    throw new Error(`${settings[name]}: is not a PEM file of certificates`, { cause: error });
  }
}

function keyIn(pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new Error(`${settings.key}: is not a PEM file of a private key`, { cause: error });
  }
}

const expiryOf = ({ validTo }: X509Certificate): number => Date.parse(validTo);
