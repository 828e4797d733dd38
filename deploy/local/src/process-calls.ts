import type { ChildProcess } from 'node:child_process';
import { fail, faultCode, type ErrorCode } from '@tautan/kit';

interface Call {
  call: string;
  id: number;
  input: unknown;
}

interface Reply {
  replyTo: number;
  output?: unknown;
  error?: { code?: ErrorCode | undefined; message: string };
}

let calls = 0;

/**
 * Calls a function that a forked process serves with `serveCalls`. Resolves with its result, which must be JSON.
 * Rejects with the fault of the function, or with SERVICE_UNAVAILABLE if the process ends before it has replied.
 */
export function callProcess(child: ChildProcess, name: string, input: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const id = ++calls;
    const forget = (): void => void child.off('message', onMessage).off('close', onClose);
    const onClose = (): void => {
      forget();
      reject(fail('SERVICE_UNAVAILABLE', 'The process ended.'));
    };
    const onMessage = (message: unknown): void => {
      const { replyTo, output, error } = message as Reply;
      if (replyTo !== id) return;
      forget();
      if (!error) resolve(output);
      else reject(error.code ? fail(error.code, error.message) : new Error(error.message));
    };
    child.on('message', onMessage).once('close', onClose);
    child.send({ call: name, id, input } satisfies Call, (error) => error && onClose());
  });
}

/** Serves functions to the supervisor that forked this process. Inputs and results must be JSON. */
export function serveCalls(functions: Record<string, (input: never) => Promise<unknown>>): void {
  process.on('message', (message) => {
    const { call, id, input } = message as Call;
    const called = functions[call];
    if (!called) return;
    const reply = (rest: Omit<Reply, 'replyTo'>) => process.send?.({ replyTo: id, ...rest }, () => undefined);
    called(input as never).then(
      (output) => reply({ output }),
      (error: Error) => reply({ error: { code: faultCode(error), message: error.message } }),
    );
  });
}
