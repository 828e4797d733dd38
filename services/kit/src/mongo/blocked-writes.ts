import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

interface DriverConnection {
  socket: EventEmitter;
  cleanup: (this: DriverConnection, error: Error) => void;
}

/**
 * Patches the driver so that it rejects a command whose connection is closed while the command waits for space in the
 * socket's write buffer, for example because the server hangs and `socketTimeoutMS` has passed. The driver (7.9.0)
 * waits for the event `drain`, which a destroyed socket does not emit, so the command would never settle. The patch
 * emits `drain`, and the driver then throws the error that closed the connection.
 */
export function rejectBlockedWrites(): void {
  // Resolved from mongoose, because only the driver that mongoose uses is patched.
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
