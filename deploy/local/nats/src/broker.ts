import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { Connection, type ConnectionLimits } from './protocol/connection.js';
import type { Router } from './routing/router.js';

/** Server version in INFO. Clients enable features depending on it. */
const version = '2.10.0';

/** Accepts and tracks client connections. */
export class Broker {
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  readonly #id = randomBytes(16).toString('hex').toUpperCase();
  #lastClientId = 0;

  constructor(
    private readonly router: Router,
    private readonly limits: ConnectionLimits,
    private readonly log: (line: string) => void,
  ) {
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Starts listening. Resolves with the port, or rejects if the port cannot be used. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) => this.log(`listening failed: ${error.message}`));
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const connection of this.#connections) connection.close('server shutdown');
    await closed;
  }

  #accept(socket: Socket): void {
    const { port, address: host } = this.#server.address() as AddressInfo;
    const info = {
      server_id: this.#id,
      server_name: 'tautan-local-nats',
      version,
      proto: 1,
      host,
      port,
      headers: true,
      jetstream: true,
      max_payload: this.limits.maxPayload,
      client_id: ++this.#lastClientId,
      client_ip: socket.remoteAddress,
    };
    const connection: Connection = new Connection(socket, this.router, this.limits, info, (reason) => {
      this.#connections.delete(connection);
      if (reason !== 'client closed') this.log(`client ${info.client_id} disconnected: ${reason}`);
    });
    this.#connections.add(connection);
  }
}
