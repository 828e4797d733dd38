import type { Transaction } from 'lmdb';
import type { Changes } from './changes.js';
import type { File } from './file.js';
import { Snapshot } from './snapshot.js';

/** The state at one moment, below the reader's own changes. */
export class MomentSnapshot extends Snapshot {
  protected readonly layers: readonly Changes[];
  protected override readonly transaction: Transaction;

  constructor(
    file: File,
    private readonly own: Changes,
    layers: readonly Changes[],
    onDamage: (key: string) => never,
  ) {
    super(file, onDamage);
    this.layers = [own, ...layers];
    this.transaction = file.useReadTransaction();
  }

  get version(): number {
    return this.own.version;
  }

  close(): void {
    this.transaction.done();
  }
}
