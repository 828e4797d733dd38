/**
 * The services that serve gRPC and own a database: the one list that addresses, ports, databases, alerts and checks derive
 * from. Each is the package `@tautan/<name>` in `services/<name>`.
 */
export const serviceNames = ['links', 'workspaces', 'webhooks', 'qr', 'billing'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** What the container image runs, by the name that its first argument takes. */
export const imageProcesses = ['gateway', ...serviceNames] as const;

/** Returns the database of a service. */
export const databaseOf = (service: ServiceName): string => `tautan_${service}`;
