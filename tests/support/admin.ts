import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Stack } from './stack.js';

const command = join(import.meta.dirname, '..', '..', '..', 'admin', 'bin', 'tautan-admin.js');

/** The exit code and output of `tautan-admin`. */
export interface AdminRun {
  code: number;
  stdout: string;
  stderr: string;
  json: <T>() => T;
}

/** Runs `tautan-admin` on a service of a stack: locally, or in the service's pod if the stack runs in a cluster. */
export async function tautanAdmin(stack: Stack, service: string, ...args: string[]): Promise<AdminRun> {
  const { services, admin } = await stack.quickstart();
  const operator = services.find(({ name }) => name === service)?.operator;
  const remote = admin?.[service];
  if (!remote && operator === undefined) throw new Error(`the stack has no service ${service}`);
  const [program, ...first] = remote ?? [process.execPath, command];
  const env = { ...process.env, NODE_OPTIONS: '', OPERATOR_PORT: String(operator) };
  return new Promise((resolve) => {
    const child = execFile(program!, [...first, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode!, stdout, stderr, json: <T>() => JSON.parse(stdout) as T }),
    );
  });
}
