declare module 'mongodb/lib/cmap/connection.js' {
  import type { EventEmitter } from 'node:events';

  export class Connection {
    socket: EventEmitter;
    cleanup: (this: Connection, error: Error) => void;
  }
}
