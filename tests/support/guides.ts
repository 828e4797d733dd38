import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..', '..');

/** A code block of a guide. */
export interface Block {
  language: string;
  /** Label of the block's tab, if the guide shows the example in several tabs. */
  tab: string | undefined;
  isRunnable: boolean;
  code: string;
}

/** Returns the code blocks of a page under `docs`. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  return [...text.matchAll(/^```(\w+)([^\n]*)\n([^]*?)^```$/gm)].map(([, language, info, code]) => ({
    language: language!,
    tab: /tab=(\S+)/.exec(info!)?.[1],
    isRunnable: !info!.includes('norun'),
    code: code!,
  }));
}

/** A folder in which guides are run, with `tautan` on the PATH and `@tautan/sdk` installed. */
export class GuideSandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'tautan-guide-'));
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    mkdirSync(join(this.folder, 'bin'));
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(join(root, 'cli/bin/tautan.js'), join(this.folder, 'bin/tautan'));
    symlinkSync(join(root, 'node_modules/@tautan'), join(this.folder, 'node_modules/@tautan'));
    const path = `${join(this.folder, 'bin')}:${process.env['PATH']}`;
    this.#env = { PATH: path, HOME: this.folder, NO_COLOR: '1', ...env };
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs a shell script and returns what it prints. Rejects with its output if it fails. */
  async run(script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const options = { cwd: this.folder, env: { ...this.#env, ...env }, timeout: 60_000 };
    return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options)).stdout;
  }

  /** Runs a code block in the shell or in Node.js. */
  async runBlock({ language, code }: Block): Promise<string> {
    if (language === 'sh') return this.run(code);
    this.write('block.mjs', code);
    return this.run('node block.mjs');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

export const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
