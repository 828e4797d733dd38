import { useMemo, useState } from 'react';
import type { Link } from './links.js';

export interface Selection {
  /** The selected links among the loaded ones. */
  links: readonly Link[];
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  /** Selects all loaded links, or none. */
  setAll: (selected: boolean) => void;
}

/** Returns the user's selection among the loaded links. Selected links that are no longer loaded are not returned. */
export function useSelection(links: readonly Link[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const toggled = (current: ReadonlySet<string>, id: string): ReadonlySet<string> =>
      current.has(id) ? new Set([...current].filter((other) => other !== id)) : new Set([...current, id]);
    return {
      links: links.filter(({ id }) => ids.has(id)),
      has: (id) => ids.has(id),
      toggle: (id) => setIds((current) => toggled(current, id)),
      setAll: (selected) => setIds(new Set(selected ? links.map(({ id }) => id) : [])),
    };
  }, [links, ids]);
}
