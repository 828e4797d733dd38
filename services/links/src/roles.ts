import type { Infrastructure } from '@tautan/kit/infrastructure';
import type { RpcTable } from '@tautan/kit/rpc';
import type { LinksConfig } from './config.js';
import type { Models } from './store/models.js';

/** The infrastructure of a role. A process with only the redirect role has no outbox. */
export interface RoleDeps extends Infrastructure<Models> {
  config: LinksConfig;
}

/** A running role. */
export interface RunningRole {
  /** Whether the role can serve traffic. */
  ready?(): boolean;
  /** RPC tables that only operators may call. */
  operators?: RpcTable[];
  /** Refuses new work, finishes work in progress, and flushes. */
  stop(): Promise<void>;
}

/** The running redirect role. */
export interface RunningRedirects extends RunningRole {
  port: number;
}
