import { describe, expect, test } from '@jest/globals';
import { ScramExchange, ScramKeys } from './scram.js';

// RFC 7677 section 3.
const keys = new ScramKeys(
  { user: 'user', password: 'pencil' },
  Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'),
  4096,
);
const clientFirst = 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO';
const serverNonce = '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const nonce = `rOprNGfwEbeRWgbNEkqO${serverNonce}`;
const clientFinal = `c=biws,r=${nonce},p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=`;
const begin = (first = clientFirst) => new ScramExchange(keys, first, serverNonce);

describe('SCRAM-SHA-256', () => {
  test("gives the messages of the RFC's example", () => {
    const exchange = begin();
    expect(exchange.serverFirst).toBe(`r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`);
    expect(exchange.finish(clientFinal)).toBe('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=');
  });

  test.each([
    ['another proof', clientFinal.replace('p=dHzb', 'p=dHzc')],
    ['a short proof', `c=biws,r=${nonce},p=dHzb`],
    ['another nonce', clientFinal.replace('r=rOpr', 'r=xOpr')],
    ['channel binding', clientFinal.replace('c=biws', 'c=eSws')],
    ['anything else', 'x'],
  ])('refuses %s', (_, message) => {
    expect(() => begin().finish(message)).toThrow(expect.objectContaining({ code: 18 }));
  });

  test('refuses another user at the end, as it does a wrong password', () => {
    const exchange = begin(clientFirst.replace('n=user', 'n=admin'));
    expect(() => exchange.finish(clientFinal)).toThrow(expect.objectContaining({ code: 18 }));
  });
});
