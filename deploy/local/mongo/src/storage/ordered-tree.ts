import type { DocRecord } from './record.js';
import { TreeWalk } from './tree-walk.js';

const leafSize = 128;
const branchSize = 128;

export interface Leaf {
  readonly leaf: true;
  keys: string[];
  records: DocRecord[];
  next: Leaf | null;
  last: Leaf | null;
}

interface Branch {
  readonly leaf: false;
  /** The least entry of each child but the first, which has none. */
  keys: string[];
  rids: number[];
  children: Node[];
}

type Node = Leaf | Branch;

const newLeaf = (): Leaf => ({ leaf: true, keys: [], records: [], next: null, last: null });

/** The position of the first entry of the leaf that is not less than (key, rid). */
function lowerBound(leaf: Leaf, key: string, rid: number): number {
  let low = 0;
  let high = leaf.keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = leaf.keys[middle]!;
    if (other < key || (other === key && leaf.records[middle]!.rid < rid)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The child that (key, rid) belongs into. */
function childFor(branch: Branch, key: string, rid: number): number {
  let low = 0;
  let high = branch.keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = branch.keys[middle]!;
    if (other < key || (other === key && branch.rids[middle]! <= rid)) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Split {
  key: string;
  rid: number;
  node: Node;
}

/** A B+ tree of (key, record) entries, ordered by key and then by record id. */
export class OrderedTree {
  size = 0;
  /** Changes whenever entries move, so that a parked walk knows to look for its place again. */
  changes = 0;
  #root: Node = newLeaf();

  /** Adds an entry; one that is there already stays once. */
  add(key: string, record: DocRecord): void {
    const split = this.#insert(this.#root, key, record);
    if (split) this.#root = { leaf: false, keys: [split.key], rids: [split.rid], children: [this.#root, split.node] };
  }

  /** Removes an entry; nothing happens when it is not there. */
  remove(key: string, record: DocRecord): void {
    this.#remove(this.#root, key, record);
    while (!this.#root.leaf && this.#root.children.length === 1) this.#root = this.#root.children[0]!;
    if (!this.#root.leaf && this.#root.children.length === 0) this.#root = newLeaf();
  }

  /** Replaces everything by `entries`, which must be in order. */
  load(keys: string[], records: DocRecord[]): void {
    this.size = keys.length;
    this.changes += 1;
    let level: Split[] = [];
    let last: Leaf | null = null;
    const step = Math.floor(leafSize * 0.75);
    for (let at = 0; at < keys.length; at += step) {
      const leaf: Leaf = { ...newLeaf(), keys: keys.slice(at, at + step), records: records.slice(at, at + step), last };
      if (last) last.next = leaf;
      last = leaf;
      level.push({ key: leaf.keys[0]!, rid: leaf.records[0]!.rid, node: leaf });
    }
    while (level.length > 1) level = branchesOver(level);
    this.#root = level[0]?.node ?? newLeaf();
  }

  /** A walk over the entries with low <= key < high, downwards when `reverse`. */
  walk(low: string, high: string, reverse = false): TreeWalk {
    return new TreeWalk(this, low, high, reverse);
  }

  /** The leaf and position of the first entry that is not less than (key, rid). The position may be the leaf's length. */
  seek(key: string, rid: number): { leaf: Leaf; at: number } {
    let node = this.#root;
    while (!node.leaf) node = node.children[childFor(node, key, rid)]!;
    return { leaf: node, at: lowerBound(node, key, rid) };
  }

  #insert(node: Node, key: string, record: DocRecord): Split | undefined {
    if (node.leaf) return this.#insertIntoLeaf(node, key, record);
    const at = childFor(node, key, record.rid);
    const split = this.#insert(node.children[at]!, key, record);
    if (!split) return undefined;
    node.keys.splice(at, 0, split.key);
    node.rids.splice(at, 0, split.rid);
    node.children.splice(at + 1, 0, split.node);
    return node.children.length > branchSize ? splitBranch(node) : undefined;
  }

  #insertIntoLeaf(leaf: Leaf, key: string, record: DocRecord): Split | undefined {
    const at = lowerBound(leaf, key, record.rid);
    if (leaf.keys[at] === key && leaf.records[at] === record) return undefined;
    this.size += 1;
    this.changes += 1;
    if (at === leaf.keys.length) {
      leaf.keys.push(key);
      leaf.records.push(record);
    } else {
      leaf.keys.splice(at, 0, key);
      leaf.records.splice(at, 0, record);
    }
    return leaf.keys.length > leafSize ? splitLeaf(leaf, at) : undefined;
  }

  /** Answers true when the node is left without entries, and its parent must let go of it. */
  #remove(node: Node, key: string, record: DocRecord): boolean {
    if (!node.leaf) {
      const at = childFor(node, key, record.rid);
      if (this.#remove(node.children[at]!, key, record)) dropChild(node, at);
      return node.children.length === 0;
    }
    const at = lowerBound(node, key, record.rid);
    if (node.keys[at] !== key || node.records[at] !== record) return false;
    this.size -= 1;
    this.changes += 1;
    node.keys.splice(at, 1);
    node.records.splice(at, 1);
    if (node.keys.length > 0 || node === this.#root) return false;
    if (node.last) node.last.next = node.next;
    if (node.next) node.next.last = node.last;
    return true;
  }
}

/** Entries mostly arrive in ascending order (times, ObjectIds): a split at the very end leaves the left leaf nearly full. */
function splitLeaf(leaf: Leaf, inserted: number): Split {
  const middle = inserted >= leaf.keys.length - 1 ? leaf.keys.length - 8 : leaf.keys.length >>> 1;
  const right: Leaf = {
    leaf: true,
    keys: leaf.keys.splice(middle),
    records: leaf.records.splice(middle),
    next: leaf.next,
    last: leaf,
  };
  if (leaf.next) leaf.next.last = right;
  leaf.next = right;
  return { key: right.keys[0]!, rid: right.records[0]!.rid, node: right };
}

function splitBranch(branch: Branch): Split {
  const middle = branch.children.length >>> 1;
  const right: Branch = {
    leaf: false,
    keys: branch.keys.splice(middle),
    rids: branch.rids.splice(middle),
    children: branch.children.splice(middle),
  };
  return { key: branch.keys.pop()!, rid: branch.rids.pop()!, node: right };
}

function dropChild(branch: Branch, at: number): void {
  branch.children.splice(at, 1);
  branch.keys.splice(Math.max(0, at - 1), 1);
  branch.rids.splice(Math.max(0, at - 1), 1);
}

function branchesOver(level: Split[]): Split[] {
  const above: Split[] = [];
  const step = Math.floor(branchSize * 0.75);
  for (let at = 0; at < level.length; at += step) {
    const part = level.slice(at, at + step);
    const rest = part.slice(1);
    const node: Branch = {
      leaf: false,
      keys: rest.map(({ key }) => key),
      rids: rest.map(({ rid }) => rid),
      children: part.map((child) => child.node),
    };
    above.push({ key: part[0]!.key, rid: part[0]!.rid, node });
  }
  return above;
}
