import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { serviceNames } from '@tautan/proto/services';

const source = join(import.meta.dirname, '..', '..', '..', 'deploy', 'docker', 'init');
const openssl = execFileSync('sh', ['-c', 'command -v openssl'], { encoding: 'utf8' }).trim();

describe('the script that prepares an installation with Docker Compose', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tautan-init-'));
    copyFileSync(source, join(folder, 'init'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const init = (env: NodeJS.ProcessEnv = {}) =>
    spawnSync(join(folder, 'init'), { env: { ...process.env, BASE_URL: undefined, ...env }, encoding: 'utf8' });
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  /** Returns the contents of all files by path. */
  const contents = (): Record<string, string> => {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = paths.filter((path) => statSync(join(folder, path)).isFile());
    return Object.fromEntries(files.map((path) => [path, read(path)]));
  };

  /** Returns a PATH on which openssl fails with a message if its arguments match a shell pattern. */
  const pathWithOpenssl = (pattern: string): string => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const fail = `case "$*" in ${pattern}) echo "this openssl is too old" >&2; exit 1 ;; esac`;
    writeFileSync(join(bin, 'openssl'), `#!/bin/sh\n${fail}\nexec ${openssl} "$@"\n`, { mode: 0o755 });
    return `${bin}:${process.env['PATH']}`;
  };

  /**
   * Checks that the certificate of every process is for the name of the process, and issued by the authority in the
   * same folder.
   */
  const expectCertificates = (): void => {
    for (const name of [...serviceNames, 'gateway']) {
      const certificate = new X509Certificate(read(`certificates/${name}/tls.crt`));
      expect(certificate.checkHost(name)).toBe(name);
      expect(certificate.verify(new X509Certificate(read(`certificates/${name}/ca.crt`)).publicKey)).toBe(true);
    }
  };

  test('writes settings and certificates that only their owner can read, and keeps them when it runs again', () => {
    expect(init()).toMatchObject({ status: 0, stderr: '' });
    expectCertificates();
    for (const path of ['.env', 'certificates']) expect(statSync(join(folder, path)).mode & 0o077).toBe(0);
    const before = contents();
    expect(init().status).toBe(0);
    expect(contents()).toEqual(before);
  });

  test('accepts a BASE_URL with a trailing slash', () => {
    expect(init({ BASE_URL: 'https://go.example.com/' }).status).toBe(0);
    expect(read('.env')).toMatch(
      /^BASE_URL=https:\/\/go\.example\.com\nIDENTITY_AUDIENCE=https:\/\/go\.example\.com\/api\/v1\n/,
    );
  });

  test('does not need an openssl that can copy extensions', () => {
    expect(init({ PATH: pathWithOpenssl('*-copy_extensions*') }).status).toBe(0);
    expectCertificates();
  });

  test.each(['rand*', 'req*-x509*', '*CN=qr*', 'x509*'])(
    'prints the error of openssl %s, and succeeds when it runs again',
    (pattern) => {
      const { status, stderr } = init({ PATH: pathWithOpenssl(pattern) });
      expect(status).not.toBe(0);
      expect(stderr).toContain('this openssl is too old');
      expect(init().status).toBe(0);
      expect(read('.env')).toMatch(/^ENCRYPTION_KEYS=.{44}$/m);
      expectCertificates();
    },
  );

  test('writes certificates beside a restored .env, even if containers have already created empty folders for them', () => {
    writeFileSync(join(folder, '.env'), 'BASE_URL=https://go.example.com\n');
    mkdirSync(join(folder, 'certificates', 'webhooks'), { recursive: true });
    expect(init().status).toBe(0);
    expect(read('.env')).toBe('BASE_URL=https://go.example.com\n');
    expectCertificates();
  });
});
