import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hostileImages } from './testing/hostile-images.js';
import { startService, type TestService } from './testing/service.js';

/** Images per second, and duration in seconds. */
const [RATE, SECONDS] = [4, Number(process.env['HOSTILE_SECONDS'] ?? 8)];

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const p99 = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!;

test('hostile images of one workspace do not block the rendering for another', async () => {
  const [attacker, victim] = [service.as(), service.as()];
  const code = await victim.aCode();
  let drawn = 0;
  /** Renders uncached sizes sequentially, and returns the duration of each in milliseconds. */
  const draw = async (until: () => boolean): Promise<number[]> => {
    const durations: number[] = [];
    while (!until()) {
      const began = performance.now();
      const { content } = await victim.images('RenderQrCode', { id: code.id, size: 256 + (drawn++ % 1_000) });
      expect(content.length).toBeGreaterThan(300);
      durations.push(performance.now() - began);
      await pause(20);
    }
    return durations;
  };
  const end = performance.now() + 2_000;
  const baseline = await draw(() => performance.now() > end);

  const sets = await Promise.all(Array.from({ length: Math.ceil((RATE * SECONDS) / 8) }, (_, i) => hostileImages(i)));
  const files = sets.flatMap((set) => Object.entries(set)).slice(0, RATE * SECONDS);
  const outcomes = new Map<string, Set<string>>();
  let attacking = true;
  const drawing = draw(() => !attacking);
  const uploads: Promise<unknown>[] = [];
  for (const [name, content] of files) {
    const outcome = attacker.images('UploadLogo', { content }).then(
      () => 'stored',
      (error: { code: string }) => error.code,
    );
    uploads.push(outcome.then((code) => outcomes.set(name, (outcomes.get(name) ?? new Set()).add(code))));
    await pause(1_000 / RATE);
  }
  await Promise.all(uploads);
  attacking = false;
  const duringAttack = await drawing;
  const [before, during] = [p99(baseline).toFixed(0), p99(duringAttack).toFixed(0)];
  process.stderr.write(
    `p99 of rendering a QR code: ${before} ms, during hostile uploads ${during} ms (${duringAttack.length} codes)\n`,
  );
  expect(duringAttack.length).toBeGreaterThan(SECONDS);
  expect(outcomes.get('a JPEG with thousands of scans')).toEqual(new Set(['VALIDATION_ERROR']));
  const possible = new Set(['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE', 'TIMEOUT']);
  for (const [name, codes] of outcomes)
    expect([name, [...codes].filter((one) => !possible.has(one))]).toEqual([name, []]);
}, 120_000);
