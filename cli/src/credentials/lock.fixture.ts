import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from './lock.js';

// A process of lock.long.test.ts: increments a counter under a lock until the file `stop` exists, and reports
// violations of mutual exclusion.
const [folder] = process.argv.slice(2) as [string];
const [inside, counter] = [`${folder}/inside`, `${folder}/counter`];
while (!existsSync(`${folder}/stop`)) {
  await withLock(`${folder}/lock`, async () => {
    writeFileSync(inside, String(process.pid));
    const count = Number(readFileSync(counter, 'utf8'));
    await sleep(Math.random() * 4);
    if (readFileSync(inside, 'utf8') !== String(process.pid)) process.stdout.write('violated\n');
    // A kill at this point leaves the counter intact.
    writeFileSync(`${counter}.new`, String(count + 1));
    renameSync(`${counter}.new`, counter);
  });
  process.stdout.write('counted\n');
}
