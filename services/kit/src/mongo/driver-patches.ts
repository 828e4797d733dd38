import mongoose from 'mongoose';
import { Connection } from 'mongodb/lib/cmap/connection.js';

const { MongoErrorLabel, MongoNetworkError } = mongoose.mongo;

/**
 * Patches two defects of the driver (7.8.0) in commands whose connection fails:
 *
 * - A command that waits for space in the socket's write buffer, for example because the server hangs, never settles:
 *   the driver waits for the event `drain`, which a destroyed socket does not emit. The patch emits `drain`, and the
 *   driver then throws the error that closed the connection.
 * - A retryable write is not retried if the monitor of the server noticed the failure first: the driver does not label
 *   the errors of connections that the pool has already dropped. The patch labels them
 *   (https://github.com/mongodb/specifications, retryable writes, "Determining Retryable Errors").
 */
export function patchDriver(): void {
  const { cleanup } = Connection.prototype;
  Connection.prototype.cleanup = function (error): void {
    if (error instanceof MongoNetworkError) error.addErrorLabel(MongoErrorLabel.RetryableWriteError);
    cleanup.call(this, error);
    this.socket.emit('drain');
  };
}
