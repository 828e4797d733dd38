import { Connection } from 'mongodb/lib/cmap/connection.js';

/**
 * Patches the driver so that it rejects a command whose connection is closed while the command waits for space in the
 * socket's write buffer, for example because the server hangs and `socketTimeoutMS` has passed. The driver (7.8.0)
 * waits for the event `drain`, which a destroyed socket does not emit, so the command would never settle. The patch
 * emits `drain`, and the driver then throws the error that closed the connection.
 */
export function rejectBlockedWrites(): void {
  const { cleanup } = Connection.prototype;
  Connection.prototype.cleanup = function (error): void {
    cleanup.call(this, error);
    this.socket.emit('drain');
  };
}
