import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * Counts the calls until V8 has optimized a new function, once during the start phase and once after it. The phase ends
 * one second after `endStartPhase` is called.
 */
const script = `
  const { endStartPhase } = await import(${JSON.stringify(join(import.meta.dirname, 'start-phase.js'))});
  const isOptimized = (hot) => (%GetOptimizationStatus(hot) & 16) > 0;
  const callsUntilOptimized = (constant) => {
    const hot = new Function('n', 'let sum = ' + constant + '; for (let i = 0; i < n; i += 1) sum += i % 7; return sum;');
    for (let calls = 1; calls < 10_000; calls += 1) {
      hot(50);
      if (isOptimized(hot)) return calls;
    }
    return 10_000;
  };
  const during = callsUntilOptimized(1);
  endStartPhase();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  console.log(JSON.stringify({ during, after: callsUntilOptimized(2) }));
`;

test('on Node.js 20 only, V8 needs more calls to optimize a function during the start phase than later', () => {
  const flags = ['--allow-natives-syntax', '--no-concurrent-recompilation', '--input-type=module'];
  const output = execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' });
  const { during, after } = JSON.parse(output) as { during: number; after: number };
  expect(during > 3 * after).toBe(process.versions.node.startsWith('20.'));
});
