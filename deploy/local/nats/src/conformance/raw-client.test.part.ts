import { connect, type Socket } from 'node:net';
import { eventually } from './server.test.part.js';

/** A client that sends arbitrary bytes. */
export class RawClient {
  received = '';
  closed = false;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay();
    socket.on('data', (chunk) => (this.received += chunk.toString('latin1')));
    socket.on('close', () => (this.closed = true));
    socket.on('error', () => undefined);
  }

  static async connect(port: number, options?: object): Promise<RawClient> {
    const client = new RawClient(connect(port, '127.0.0.1'));
    await client.waitFor(/^INFO .*\r\n/);
    if (options) client.send(`CONNECT ${JSON.stringify(options)}\r\n`);
    return client;
  }

  send(text: string | Buffer): void {
    this.socket.write(text);
  }

  /** Waits until the received data matches, and returns the match. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    return eventually(() => pattern.exec(this.received));
  }

  /** Waits until the server has closed the connection. */
  waitForClose(): Promise<boolean> {
    return eventually(() => this.closed);
  }

  end(): void {
    this.socket.destroy();
  }
}
