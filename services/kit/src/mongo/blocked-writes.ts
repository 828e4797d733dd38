import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

interface DriverConnection {
  socket: EventEmitter;
  cleanup: (this: DriverConnection, error: Error) => void;
}

/**
 * Makes the driver reject a command if its connection is closed while the command waits for the socket's write buffer, for
 * example by `socketTimeoutMS` when the server hangs. The driver (7.9.0) waits for the event `drain`, which a destroyed socket
 * does not emit, so the command would never settle. After the event, it throws the error that closed the connection.
 */
export function rejectBlockedWrites(): void {
  // The driver that mongoose uses.
  const fromMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = fromMongoose('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: DriverConnection };
  };
  const { cleanup } = Connection.prototype;
  Connection.prototype.cleanup = function (error): void {
    cleanup.call(this, error);
    this.socket.emit('drain');
  };
}
