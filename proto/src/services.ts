/**
 * The services that serve gRPC and own a database. Each is the package `@tautan/<name>` in `services/<name>`.
 * Addresses, ports, databases, alerts and checks are derived from this list.
 */
export const serviceNames = ['links', 'workspaces', 'webhooks', 'qr', 'billing'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The processes that the container image can run. The first argument of a container is the name of its process. */
export const containerProcesses = ['gateway', ...serviceNames] as const;

/** Returns the default name of a service's database. */
export const databaseOf = (service: ServiceName): string => `tautan_${service}`;
