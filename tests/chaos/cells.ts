/**
 * The processes of `npm start`. The supervisor is also the front (the reverse proxy), the identity provider and the
 * payment sandbox.
 */
export type ProcessName = 'gateway' | 'redirect' | 'services' | 'broker' | 'engine' | 'supervisor';
/** A peer that a process can be disconnected from. */
export type Peer = 'broker' | 'database' | 'services';

export const networkFaults = ['latency', 'half-open', 'reset', 'flapping'] as const;
export type NetworkFault = (typeof networkFaults)[number];

interface Row {
  /** Peers that the process has connections to. */
  reaches: Peer[];
  /** Subfolders of the data folder that the process writes to, each on its own disk. */
  disks: string[];
}

/** For each process, the connections and disks that faults affect. Every process is also killed and suspended. */
export const matrix: Record<ProcessName, Row> = {
  gateway: { reaches: ['broker', 'services'], disks: [] },
  redirect: { reaches: ['broker', 'database'], disks: ['clicks'] },
  services: { reaches: ['broker', 'database'], disks: [] },
  broker: { reaches: [], disks: ['nats'] },
  engine: { reaches: [], disks: ['mongo'] },
  supervisor: { reaches: [], disks: ['identity', 'payments'] },
};

/** The settings that contain the addresses of each peer. */
export const settingsOf: Record<Peer, string[]> = {
  broker: ['NATS_URL'],
  database: ['MONGODB_URI'],
  services: ['LINKS_ADDRESS', 'WORKSPACES_ADDRESS', 'WEBHOOKS_ADDRESS', 'QR_ADDRESS', 'BILLING_ADDRESS'],
};

/** One process with one fault. */
export interface Cell {
  name: string;
  process: ProcessName;
  fault: 'killed' | 'hung' | 'full disk' | NetworkFault;
  /**
   * The peer that the network fault concerns. With any other fault, a peer that is unreachable at the same time, such
   * as the broker: clicks are written to disk only while it is unavailable.
   */
  peer?: Peer;
}

const cellsOf = ([process, { reaches, disks }]: [ProcessName, Row]): Cell[] => [
  { name: `${process}: killed`, process, fault: 'killed' },
  { name: `${process}: hung`, process, fault: 'hung' },
  ...reaches.flatMap((peer) =>
    networkFaults.map((fault): Cell => ({ name: `${process} to ${peer}: ${fault}`, process, fault, peer })),
  ),
  ...(disks.length > 0 ? [{ name: `${process}: full disk`, process, fault: 'full disk' } as const] : []),
];

/** Combined faults: while disconnected, the process writes data to disk that it otherwise forwards immediately. */
const combined: Cell[] = [
  { name: 'redirect: killed, cut off from the broker', process: 'redirect', fault: 'killed', peer: 'broker' },
  {
    name: 'redirect: full disk, cut off from the broker',
    process: 'redirect',
    fault: 'full disk',
    peer: 'broker',
  },
];

/** Every cell of the matrix. */
export const cells: Cell[] = [...(Object.entries(matrix) as [ProcessName, Row][]).flatMap(cellsOf), ...combined];

/**
 * Connections whose faults do not affect the broker: the gateway's calls to services, and the redirect process's reads
 * of routes.
 */
const withoutBroker = ['gateway to services', 'redirect to database'];

/**
 * Returns whether a cell is also tested with a real NATS server. False for cells of the embedded database and the
 * supervisor, for a full disk of the embedded broker, and for connections whose faults do not affect the broker.
 */
export const isTestedWithRealNats = ({ process, fault, peer }: Cell): boolean =>
  process !== 'engine' &&
  process !== 'supervisor' &&
  !(process === 'broker' && fault === 'full disk') &&
  !withoutBroker.includes(`${process} to ${peer}`);
