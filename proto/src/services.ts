/**
 * The services that serve gRPC and own a database, each the package `@tautan/<name>` in `services/<name>`. Addresses, ports,
 * databases, alerts and checks derive from this list.
 */
export const serviceNames = ['links', 'workspaces', 'webhooks', 'qr', 'billing'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The processes of the container image, by the name in its first argument. */
export const imageProcesses = ['gateway', ...serviceNames] as const;

/** Returns the database of a service. */
export const databaseOf = (service: ServiceName): string => `tautan_${service}`;
