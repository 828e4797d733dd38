import { expect, test } from '@jest/globals';
import { isRecipientRefused } from './mailer.js';

const command = 'RCPT TO';
const toRecipient = (response: string) => ({ command, response, responseCode: Number(response.slice(0, 3)) });

test.each([
  toRecipient('550 5.1.1 No such mailbox'),
  toRecipient('550-5.1.1 No such mailbox'),
  toRecipient('550 5.1.70 Unknown code'),
  toRecipient('550 No such mailbox; previously 550 5.7.1'),
  toRecipient('500 Command not recognized'),
  { command, responseCode: 550 },
])('%j means that the recipient is refused', (error) => {
  expect(isRecipientRefused(error)).toBe(true);
});

test.each([
  ['temporary', toRecipient('451 4.3.0 Try again later')],
  ['temporary', toRecipient('499 Try again later')],
  ['a required login', toRecipient('530 Authentication required')],
  ['a refused relay', toRecipient('550 5.7.1 Relay access denied')],
  ['a refused relay', toRecipient('554-5.7.27 Relay access denied')],
  ['a refused sender', toRecipient('553 5.1.7 Bad sender address')],
  ['a refused sender', toRecipient('553 5.1.8 Sender address rejected')],
  ['a refused sender', { ...toRecipient('550 Rejected'), command: 'MAIL FROM' }],
  ['refused content', { ...toRecipient('554 Rejected'), command: 'DATA' }],
  ['a lost connection', new Error('read ECONNRESET')],
])('an error is retried if it is %s: %j', (_what, error) => {
  expect(isRecipientRefused(error)).toBe(false);
});
