import { addressSettings, callersOf, type RpcService } from '@tautan/proto/callers';
import { z } from 'zod';
import { file, flag, list, port } from './config.js';
import { isLoopbackHost } from '../network/egress.js';

/** Settings of gRPC clients and servers. Certificate files are reloaded when they change. */
export const rpcTlsSettings = {
  /**
   * PEM file of the certificate authorities that issue peers' certificates. Mutual TLS is on when all three files are
   * set.
   */
  RPC_TLS_CA: file.optional(),
  /** PEM file of this process's certificate, with its host names and its name as a caller. */
  RPC_TLS_CERT: file.optional(),
  /** PEM file of the certificate's private key. */
  RPC_TLS_KEY: file.optional(),
  /** Allows plaintext gRPC beyond loopback. */
  RPC_INSECURE: flag(false),
};

/** Port for operator calls, on 127.0.0.1 only. */
export const operatorPortSetting = port(50_052);

/** Settings of a service that serves gRPC. */
export const rpcSettings = (service: RpcService) => ({
  RPC_PORT: port(50_051),
  OPERATOR_PORT: operatorPortSetting,
  ...rpcTlsSettings,
  /** Accepted names in callers' certificates. */
  RPC_ACCEPTED_NAMES: list(callersOf(service)).refine((names) => names.length > 0, 'must contain a name'),
});

/**
 * Address of a service: host:port, or a gRPC target such as dns:///host:port. Calls are balanced over all addresses of
 * the name.
 */
export const rpcAddress = z.string().min(1);

export type RpcTlsConfig = z.infer<z.ZodObject<typeof rpcTlsSettings>>;

const REMEDY = 'Set RPC_TLS_CA, RPC_TLS_CERT and RPC_TLS_KEY, or RPC_INSECURE=true to allow plaintext';

/**
 * Returns the schema with checks that reject plaintext gRPC beyond loopback, for listeners and service addresses.
 * `serves` returns whether a process with this configuration listens on RPC_PORT. It matters only for a schema with
 * that setting.
 */
export function withSecureRpc<S extends z.ZodObject>(
  schema: S,
  serves: (config: z.infer<S>) => boolean = () => true,
): S {
  const refuse = (base: S, setting: string, isExposed: (config: z.infer<S>) => boolean, problem: string): S =>
    base.refine((config) => config['RPC_INSECURE'] === true || hasAnyTlsSetting(config) || !isExposed(config), {
      path: [setting],
      error: `${problem}. ${REMEDY}`,
      // Checked even if other settings are invalid, so that all problems are reported together.
      when: ({ value }) => typeof value === 'object' && value !== null,
    });
  // One setting is enough here, because `readConfig` rejects a configuration with only some of the three.
  const hasAnyTlsSetting = (config: z.infer<S>): boolean =>
    ['RPC_TLS_CA', 'RPC_TLS_CERT', 'RPC_TLS_KEY'].some((name) => config[name] !== undefined);
  const host = ({ BIND_HOST }: z.infer<S>): string => String(BIND_HOST);
  const listening =
    'RPC_PORT' in schema.shape
      ? refuse(
          schema,
          'BIND_HOST',
          (config) => serves(config) && !isLoopbackHost(host(config)),
          'gRPC would listen beyond loopback without TLS',
        )
      : schema;
  const isRemote = (address: unknown): boolean => typeof address === 'string' && !isLoopbackTarget(address);
  return addressSettings
    .filter((setting) => setting in schema.shape)
    .reduce(
      (base, setting) =>
        refuse(
          base,
          setting,
          (config) => isRemote(config[setting]),
          'is not a loopback address, but TLS is not configured for gRPC',
        ),
      listening,
    );
}

/** Returns whether a gRPC target (https://grpc.github.io/grpc/core/md_doc_naming.html) is loopback. */
function isLoopbackTarget(target: string): boolean {
  if (/^unix(-abstract)?:/.test(target)) return true;
  const [, addresses = ''] = /^(?:(?:dns|ipv4|ipv6):(?:\/\/[^/]*\/)?)?(.*)$/.exec(target) ?? [];
  return addresses.split(',').every((address) => isLoopbackHost(address.replace(/:\d+$/, '')));
}
