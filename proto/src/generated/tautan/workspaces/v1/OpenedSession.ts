// Original file: workspaces.proto

import type { Person as _tautan_workspaces_v1_Person, Person__Output as _tautan_workspaces_v1_Person__Output } from '../../../tautan/workspaces/v1/Person.js';

export interface OpenedSession {
  'secret'?: (string);
  'expiresAt'?: (string);
  'person'?: (_tautan_workspaces_v1_Person | null);
  'returnTo'?: (string);
}

export interface OpenedSession__Output {
  'secret': (string);
  'expiresAt': (string);
  'person': (_tautan_workspaces_v1_Person__Output | null);
  'returnTo': (string);
}
