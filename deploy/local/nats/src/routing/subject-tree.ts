interface Node<T> {
  children: Map<string, Node<T>>;
  values: Set<T>;
}

const emptyNode = <T>(): Node<T> => ({ children: new Map(), values: new Set() });

/** Values by subject pattern. Lookup time depends on the number of tokens, not on the number of values. */
export class SubjectTree<T> {
  readonly #root = emptyNode<T>();

  add(pattern: string, value: T): void {
    let node = this.#root;
    for (const token of pattern.split('.')) {
      let next = node.children.get(token);
      if (!next) node.children.set(token, (next = emptyNode()));
      node = next;
    }
    node.values.add(value);
  }

  delete(pattern: string, value: T): void {
    const tokens = pattern.split('.');
    const path = [this.#root];
    for (const token of tokens) {
      const next = path.at(-1)?.children.get(token);
      if (!next) return;
      path.push(next);
    }
    path.at(-1)?.values.delete(value);
    for (let n = path.length - 1; n > 0 && path[n]!.values.size === 0 && path[n]!.children.size === 0; n--) {
      path[n - 1]!.children.delete(tokens[n - 1]!);
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
  const rest = node.children.get('>');
  if (rest) found.push(...rest.values);
  const exact = node.children.get(tokens[depth]!);
  if (exact) collect(exact, tokens, depth + 1, found);
  const any = node.children.get('*');
  if (any) collect(any, tokens, depth + 1, found);
}
