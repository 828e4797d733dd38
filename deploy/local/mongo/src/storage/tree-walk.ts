import type { Leaf, OrderedTree } from './ordered-tree.js';
import type { DocRecord } from './record.js';

/** A walk over a range of a tree that goes on correctly when entries are added or removed between two steps. */
export class TreeWalk {
  key = '';
  record!: DocRecord;
  #leaf: Leaf | null;
  #at: number;
  #changes: number;
  #started = false;

  constructor(
    private readonly tree: OrderedTree,
    private readonly low: string,
    private readonly high: string,
    private readonly reverse: boolean,
  ) {
    const place = reverse ? tree.seek(high, -1) : tree.seek(low, -1);
    this.#leaf = place.leaf;
    this.#at = reverse ? place.at : place.at - 1;
    this.#changes = tree.changes;
  }

  /** Steps to the next entry, which `key` and `record` then name; false at the end of the range. */
  next(): boolean {
    if (this.#changes !== this.tree.changes) this.#findPlace();
    return this.reverse ? this.#down() : this.#up();
  }

  #up(): boolean {
    this.#at += 1;
    while (this.#leaf && this.#at >= this.#leaf.keys.length) {
      this.#leaf = this.#leaf.next;
      this.#at = 0;
    }
    if (!this.#leaf || this.#leaf.keys[this.#at]! >= this.high) return this.#end();
    return this.#arrive(this.#leaf);
  }

  #down(): boolean {
    this.#at -= 1;
    while (this.#leaf && this.#at < 0) {
      this.#leaf = this.#leaf.last;
      this.#at = (this.#leaf?.keys.length ?? 0) - 1;
    }
    if (!this.#leaf || this.#leaf.keys[this.#at]! < this.low) return this.#end();
    return this.#arrive(this.#leaf);
  }

  #arrive(leaf: Leaf): boolean {
    this.key = leaf.keys[this.#at]!;
    this.record = leaf.records[this.#at]!;
    this.#started = true;
    return true;
  }

  #end(): boolean {
    this.#leaf = null;
    return false;
  }

  #findPlace(): void {
    this.#changes = this.tree.changes;
    if (!this.#leaf) return;
    const [key, rid] = this.#started ? [this.key, this.record.rid] : [this.reverse ? this.high : this.low, -1];
    const { leaf, at } = this.tree.seek(key, rid);
    this.#leaf = leaf;
    if (this.reverse) this.#at = at;
    else this.#at = this.#started && leaf.keys[at] === key && leaf.records[at]?.rid === rid ? at : at - 1;
  }
}
