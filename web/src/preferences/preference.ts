import { useSyncExternalStore } from 'react';

/** A setting of this browser that survives a reload. */
export interface Preference<T extends string> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

/** Creates a preference in local storage. If storage is blocked, changes last until the page is closed or reloaded. */
export function createPreference<T extends string>(key: string, values: readonly T[], fallback: T): Preference<T> {
  const listeners = new Set<() => void>();
  let current = values.find((value) => value === read(key)) ?? fallback;
  return {
    get: () => current,
    set: (value) => {
      current = value;
      write(key, value);
      listeners.forEach((listener) => listener());
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the value of a preference, and renders the component again when the value changes. */
export const usePreference = <T extends string>(preference: Preference<T>): T =>
  useSyncExternalStore(preference.subscribe, preference.get);

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is blocked: the change lasts until the page is closed or reloaded.
  }
}
