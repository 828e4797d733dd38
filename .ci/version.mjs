// Lifecycle script of `lerna version`. Before the commit, writes the new version to the files that lerna does not change.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('lerna.json', 'utf8'));
const today = new Date().toISOString().slice(0, 10);

/** Replaces the matches of a pattern in a file. Throws if there are none. */
function edit(path, pattern, replacement) {
  const text = readFileSync(path, 'utf8');
  if (!pattern.test(text)) throw new Error(`${path} has no match for ${pattern}.`);
  writeFileSync(path, text.replace(pattern, replacement));
}

edit('CHANGELOG.md', /^## Unreleased$/m, `## Unreleased\n\n## ${version} - ${today}`);
edit('charts/tautan/Chart.yaml', /^version: .*$/m, `version: ${version}`);
edit('charts/tautan/Chart.yaml', /^appVersion: .*$/m, `appVersion: ${version}`);
edit('deploy/docker/Dockerfile', /^ARG VERSION=.*$/m, `ARG VERSION=${version}`);
for (const path of ['deploy/docker/compose.yaml', 'docs/operations/compose.md', 'docs/operations/install.md'])
  edit(path, /(?<=\btautan(?::|, tag: ))\d+\.\d+\.\d+/g, version);
execFileSync('npm', ['pkg', 'set', `version=${version}`]);
execFileSync('npm', ['run', '--silent', 'generate', '-w', '@tautan/proto'], { stdio: 'inherit' });
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
execFileSync('git', ['add', '--update']);
