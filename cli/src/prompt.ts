import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fail } from './errors.js';

/** Asks for confirmation on the terminal. Returns true for y or yes. */
export async function confirmed(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await ask(prompt, `${question} [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}

/**
 * Reads a secret: on a terminal, one line without echo; otherwise, the first non-blank line of standard input. Throws
 * if it is empty.
 */
export async function readSecret(label: string): Promise<string> {
  const { stdin } = process;
  const secret = (
    stdin.isTTY ? await readWithoutEcho(label) : (await text(stdin)).trimStart().split('\n', 1)[0]!
  ).trim();
  if (secret) return secret;
  throw fail('usage', `No ${label} on standard input.`);
}

async function readWithoutEcho(label: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(`${label}: `);
  try {
    return await ask(prompt, '');
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}

/** Asks a question and returns the answer, or an empty string if the input ends. */
function ask(prompt: Interface, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    prompt.once('close', () => resolve(''));
    prompt.question(question).then(resolve, reject);
  });
}
