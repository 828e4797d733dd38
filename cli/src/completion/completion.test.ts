import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tautanAt, type Tautan } from '../testing/tautan.js';

let tautan: Tautan;
let bash: string;
beforeAll(async () => {
  tautan = tautanAt('http://127.0.0.1:9');
  bash = (await tautan.run(['completion', 'bash'])).stdout;
  writeFileSync(join(tautan.home, 'links.csv'), '');
  writeFileSync(join(tautan.home, 'old *.csv'), '');
});
afterAll(() => tautan.remove());

/** Returns the completions of bash for a line whose last word is incomplete. */
function offered(line: string): string[] {
  const words = line.split(' ');
  const script = `${bash}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_tautan; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-u', '-c', script], { cwd: tautan.home, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

describe('bash completes', () => {
  test.each([
    [
      'tautan ',
      [
        'login',
        'logout',
        'whoami',
        'profiles',
        'links',
        'qr',
        'tags',
        'domains',
        'workspaces',
        'members',
        'keys',
        'sessions',
        'webhooks',
        'listen',
        'billing',
        'audit-log',
        'mcp',
        'completion',
      ],
    ],
    ['tautan l', ['login', 'logout', 'links', 'listen']],
    [
      'tautan billing ',
      ['plan', 'plans', 'usage', 'subscription', 'checkout', 'downgrade', 'cancel', 'resume', 'history', 'portal'],
    ],
    ['tautan billing checkout pro --currency ', ['IDR', 'USD']],
    ['tautan links ', ['create', 'list', 'get', 'update', 'delete', 'stats', 'bulk', 'import', 'export']],
    ['tautan links ex', ['export']],
    ['tautan --json links ex', ['export']],
    ['tautan --url links tags re', ['rename']],
    ['tautan webhooks deliveries ', ['list', 'get', 'retry']],
    ['tautan links stats export spring --fo', ['--format', '--force']],
    ['tautan links bulk ', ['archive', 'activate', 'delete', 'tag', 'untag']],
    ['tautan links list --so', ['--sort']],
    ['tautan links list --sort ', ['createdAt', 'lastClickAt', 'clickCount']],
    ['tautan links list --sort clickCount --status a', ['active', 'archived']],
    ['tautan links update spring --clear ti', ['title']],
    ['tautan links export --format ', ['csv', 'json', 'ndjson']],
    ['tautan links export --output li', ['links.csv']],
    ['tautan links import li', ['links.csv']],
    ['tautan links import ol', ['old *.csv']],
    ['tautan completion ', ['bash', 'zsh', 'fish']],
    ['tautan links create --slug ', []],
  ])('%s', (line, words) => {
    expect(offered(line)).toEqual(words);
  });

  test('options of a command, including global ones', () => {
    expect(offered('tautan links create --')).toEqual(
      expect.arrayContaining(['--slug', '--expires', '--json', '--workspace', '--no-color', '--help']),
    );
  });

  test('the arguments of tautan once the script is loaded', () => {
    const { stdout } = spawnSync('bash', ['--norc', '-c', `${bash}\ncomplete -p tautan`], { encoding: 'utf8' });
    expect(stdout).toBe('complete -F _tautan tautan\n');
  });
});

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

describe.each(['zsh', 'fish'])('for %s,', (shell) => {
  test('the script contains commands, options and values', async () => {
    const { stdout } = await tautan.run(['completion', shell]);
    for (const word of ['whoami', 'rename', 'max-clicks', 'ndjson', 'lastClickAt']) expect(stdout).toContain(word);
  });

  (has(shell) ? test : test.skip)('the shell can read the script', async () => {
    const { stdout } = await tautan.run(['completion', shell]);
    const file = join(tautan.home, `completion.${shell}`);
    writeFileSync(file, stdout);
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

(has('fish') ? describe : describe.skip)('fish', () => {
  test('completes commands, options, values and file names', async () => {
    const { stdout: script } = await tautan.run(['completion', 'fish']);
    writeFileSync(join(tautan.home, 'completion.fish'), script);
    const offered = (line: string) => {
      const command = `source completion.fish; complete -C '${line}'`;
      const { stdout } = spawnSync('fish', ['--no-config', '-c', command], { cwd: tautan.home, encoding: 'utf8' });
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((one) => one.split('\t')[0])
        .sort();
    };
    expect(offered('tautan l')).toEqual(['links', 'listen', 'login', 'logout']);
    expect(offered('tautan links ex')).toEqual(['export']);
    expect(offered('tautan --json --url x links ex')).toEqual(['export']);
    expect(offered('tautan links list --status a')).toEqual(['active', 'archived']);
    expect(offered('tautan links list --so')).toEqual(['--sort']);
    expect(offered('tautan links stats spring --fr')).toEqual(['--from']);
    expect(offered('tautan links stats export spring --fo')).toEqual(['--force', '--format']);
    expect(offered('tautan completion ')).toEqual(['bash', 'fish', 'zsh']);
    expect(offered('tautan links import li')).toEqual(['links.csv']);
  });
});
