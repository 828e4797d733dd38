import { serviceNames } from './services.js';

/**
 * The services that each process calls over gRPC. The names that a service accepts in certificates are derived from
 * this list. The chart repeats it as `calls` in `templates/_helpers.tpl`; a test compares them.
 */
export const rpcCallees = {
  gateway: serviceNames,
  qr: ['links'],
} as const;

/** A process that calls services. */
export type RpcCaller = keyof typeof rpcCallees;
/** A process that serves gRPC. */
export type RpcService = (typeof rpcCallees)[RpcCaller][number];

/** Returns the processes that call a service. */
export const callersOf = (service: RpcService): RpcCaller[] =>
  (Object.keys(rpcCallees) as RpcCaller[]).filter((caller) =>
    (rpcCallees[caller] as readonly string[]).includes(service),
  );

/** Name of the setting that holds the address of a service. */
export type AddressSetting = `${Uppercase<RpcService>}_ADDRESS`;

/** Returns the name of the setting that holds the address of a service. */
export const addressSetting = (service: RpcService): AddressSetting =>
  `${service.toUpperCase() as Uppercase<RpcService>}_ADDRESS`;

/** Names of the settings that hold the addresses of services. */
export const addressSettings: AddressSetting[] = serviceNames.map(addressSetting);
