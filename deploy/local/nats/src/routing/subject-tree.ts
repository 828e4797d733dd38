interface Node<T> {
  next: Map<string, Node<T>>;
  values: Set<T>;
}

const emptyNode = <T>(): Node<T> => ({ next: new Map(), values: new Set() });

/** Values by subject pattern. Lookup time depends on the number of tokens, not on the number of values. */
export class SubjectTree<T> {
  readonly #root = emptyNode<T>();

  add(pattern: string, value: T): void {
    let node = this.#root;
    for (const token of pattern.split('.')) {
      let next = node.next.get(token);
      if (!next) node.next.set(token, (next = emptyNode()));
      node = next;
    }
    node.values.add(value);
  }

  delete(pattern: string, value: T): void {
    const tokens = pattern.split('.');
    const path = [this.#root];
    for (const token of tokens) {
      const next = path.at(-1)?.next.get(token);
      if (!next) return;
      path.push(next);
    }
    path.at(-1)?.values.delete(value);
    for (let n = path.length - 1; n > 0 && path[n]!.values.size === 0 && path[n]!.next.size === 0; n--) {
      path[n - 1]!.next.delete(tokens[n - 1]!);
    }
  }

  /** Returns every value whose pattern matches a literal subject. */
  match(subject: string): T[] {
    const found: T[] = [];
    collect(this.#root, subject.split('.'), 0, found);
    return found;
  }
}

function collect<T>(node: Node<T>, tokens: string[], depth: number, found: T[]): void {
  if (depth === tokens.length) {
    found.push(...node.values);
    return;
  }
  const rest = node.next.get('>');
  if (rest) found.push(...rest.values);
  const exact = node.next.get(tokens[depth]!);
  if (exact) collect(exact, tokens, depth + 1, found);
  const any = node.next.get('*');
  if (any) collect(any, tokens, depth + 1, found);
}
