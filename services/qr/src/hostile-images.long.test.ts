import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hostileImages } from './testing/hostile-images.js';
import { startService, type TestService } from './testing/service.js';

/** Images per second, and duration in seconds. */
const [RATE, SECONDS] = [4, Number(process.env['HOSTILE_SECONDS'] ?? 8)];
/** Duration of a measurement without hostile uploads, milliseconds. */
const BASELINE_MS = 3_000;
/**
 * Maximum CPU time of this process per hostile image on average, milliseconds. The subprocess that decodes the image is
 * not included. The p99 of the rendering times is only printed, because it depends on other load on the machine.
 */
const MAX_CPU_MS = 200;

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

/** Returns the CPU time of this process, without subprocesses. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

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
  const drawAlone = (): Promise<number[]> => {
    const end = performance.now() + BASELINE_MS;
    return draw(() => performance.now() > end);
  };
  // The first images load the image library.
  await drawAlone();
  const cpuAtStart = cpuMs();
  const alone = await drawAlone();
  const cpuPerCode = (cpuMs() - cpuAtStart) / alone.length;

  const sets = await Promise.all(Array.from({ length: Math.ceil((RATE * SECONDS) / 8) }, (_, i) => hostileImages(i)));
  const files = sets.flatMap((set) => Object.entries(set)).slice(0, RATE * SECONDS);
  const outcomes = new Map<string, Set<string>>();
  const cpuBefore = cpuMs();
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
  const cpuPerImage = (cpuMs() - cpuBefore - duringAttack.length * cpuPerCode) / files.length;
  const [usual, during] = [p99(alone), p99(duringAttack)];
  process.stderr.write(
    `p99 of rendering a QR code: ${usual.toFixed(0)} ms, during hostile uploads ${during.toFixed(0)} ms ` +
      `(${duringAttack.length} codes); CPU time per hostile image: ${cpuPerImage.toFixed(0)} ms\n`,
  );
  expect(duringAttack.length).toBeGreaterThan(SECONDS);
  expect(cpuPerImage).toBeLessThan(MAX_CPU_MS);
  expect(outcomes.get('a JPEG with thousands of scans')).toEqual(new Set(['VALIDATION_ERROR']));
  const possible = new Set(['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE', 'TIMEOUT']);
  for (const [name, codes] of outcomes)
    expect([name, [...codes].filter((one) => !possible.has(one))]).toEqual([name, []]);
}, 120_000);
