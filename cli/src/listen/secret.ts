import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { makeFolder } from '../credentials/file.js';

/**
 * Returns the signing secret of forwarded deliveries. The first run of `tautan listen` for a workspace creates it, and
 * later runs reuse it. It is stored in a file that only the file's owner can read.
 */
export function forwardingSecret(
  configDir: string,
  { serviceUrl, workspaceId }: { serviceUrl: string; workspaceId: string },
): string {
  const name = createHash('sha256').update(`${serviceUrl} ${workspaceId}`).digest('hex').slice(0, 32);
  const folder = join(configDir, 'listen-secrets');
  const path = join(folder, name);
  makeFolder(configDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  try {
    writeFileSync(path, secret, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(path, 'utf8');
  }
}

/** Returns the headers of a delivery (alternating names and values) with the timestamp `at` and a new signature. */
export function signedHeaders(
  rawHeaders: string[],
  id: string,
  body: string,
  secret: string,
  at = new Date(),
): string[] {
  const kept: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!/^webhook-(timestamp|signature)$/i.test(rawHeaders[i]!)) kept.push(rawHeaders[i]!, rawHeaders[i + 1]!);
  const signature = new Webhook(secret).sign(id, at, body);
  return [...kept, 'webhook-timestamp', String(Math.floor(at.getTime() / 1_000)), 'webhook-signature', signature];
}
