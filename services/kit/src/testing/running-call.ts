import { once } from 'node:events';
import { connect } from 'node:http2';

/** A gRPC call that the server has received and that runs until it is ended. */
export interface RunningCall {
  isRunning(): boolean;
  end(): void;
}

/** Returns whether a gRPC server without TLS refuses calls on a port of 127.0.0.1, for example while it drains. */
export const refusesCalls = (port: number): Promise<boolean> =>
  startRunningCall(port).then(
    (call) => {
      call.end();
      return false;
    },
    () => true,
  );

/** Starts a call to a gRPC server without TLS on a port of 127.0.0.1. The request stays incomplete. */
export async function startRunningCall(port: number): Promise<RunningCall> {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  await once(session, 'connect');
  const call = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  call.on('error', () => undefined);
  // The server processes frames in order, so once it responds to the ping, it has received the call.
  await new Promise<void>((resolve) => session.ping(() => resolve()));
  return { isRunning: () => !call.closed, end: () => session.destroy() };
}
