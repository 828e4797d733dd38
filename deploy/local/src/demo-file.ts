import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoPerson } from './demo-person.js';
import { writePrivate } from './quickstart.js';

/** The demo workspace, its owner and an API key. */
export interface Demo {
  workspaceId: string;
  apiKey: string;
  /** The owner of the workspace. Absent with an external identity provider. */
  person?: DemoPerson;
}

const fileOf = (dataDir: string): string => join(dataDir, 'demo.json');

/** Reads the demo of the last start. Returns an empty object if there is none. */
export function readDemo(dataDir: string): Partial<Demo> {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<Demo>;
  } catch {
    return {}; // The file does not exist or is corrupt. A new demo is created.
  }
}

export const writeDemo = (dataDir: string, demo: Partial<Demo>): void => writePrivate(fileOf(dataDir), demo);
