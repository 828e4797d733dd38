import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { SMTPServer } from 'smtp-server';
import { anEmail, startWithProvider, type ServiceWithProvider } from './testing/people.js';

interface Received {
  from: string;
  to: string[];
  text: string;
}

const received: Received[] = [];
/** The addresses that the server rejects permanently, each with the text of the rejection. */
const refused = new Map<string, string>();
/** The server rejects this many of the next recipients temporarily. */
let temporaryRejectionsLeft = 0;
/** Number of permanent rejections so far. */
let rejections = 0;
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _session, done) {
    const reason = refused.get(address);
    if (reason !== undefined) {
      rejections += 1;
      return done(Object.assign(new Error(reason), { responseCode: 550 }));
    }
    if (temporaryRejectionsLeft > 0) {
      temporaryRejectionsLeft -= 1;
      return done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
    }
    done();
  },
  onData(stream, { envelope }, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      received.push({ from, to, text: Buffer.concat(chunks).toString('utf8') });
      done();
    });
  },
});

let fixture: ServiceWithProvider;
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as { port: number };
  fixture = await startWithProvider({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Tautan <no-reply@go.example.com>',
    BASE_URL: 'https://go.example.com',
  });
});
afterAll(async () => {
  await fixture.stop();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

test('a mail server that does not respond does not keep the service from stopping', async () => {
  let connections = 0;
  // Greets, and then never responds: a mail times out after 20 s.
  const unresponsive = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).write('220 mail.example.com\r\n');
  });
  await new Promise<void>((resolve) => unresponsive.listen(0, '127.0.0.1', resolve));
  const { port } = unresponsive.address() as AddressInfo;
  const other = await startWithProvider({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'no-reply@go.example.com',
    BASE_URL: 'https://go.example.com',
    DRAIN_TIMEOUT_MS: '2000',
  });
  const owner = await other.aPerson();
  const { id } = await owner.create();
  await owner.invite(id, anEmail());
  await until(() => connections > 0);
  const began = performance.now();
  await other.stop();
  expect(performance.now() - began).toBeLessThan(15_000);
  unresponsive.close();
});

const mailTo = (email: string) => until(() => received.find(({ to }) => to.includes(email)));

test('an invitation is mailed to the invited user', async () => {
  const owner = await fixture.aPerson();
  const { id } = await owner.create('Kopi Sari');
  const email = anEmail();
  await owner.invite(id, email);
  const { from, text } = await mailTo(email);
  expect(from).toBe('no-reply@go.example.com');
  expect(text).toMatch(/^Subject: Sari invited you to Kopi Sari on Tautan\r$/m);
  expect(text).toMatch(/^Message-ID: <evt_[0-9a-z]+@go\.example\.com>\r$/im);
  expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(text).toContain('\r\nhttps://go.example.com/app\r\n');
});

test('an invitation is created but not mailed after three mails to the address within a day', async () => {
  const owner = await fixture.aPerson();
  const { id } = await owner.create();
  const [often, other] = [anEmail().toLowerCase(), anEmail().toLowerCase()];
  await owner.invite(id, other);
  await mailTo(other);
  const { invitationMails, members } = fixture.models;
  const mail = await until(() => invitationMails.findOne({ workspaceId: id }).lean());
  expect(mail).toMatchObject({ email: other });
  await invitationMails.insertMany([1, 2, 3].map((n) => ({ ...mail, _id: `${mail._id}-${n}`, email: often })));
  const last = anEmail();
  await owner.invite(id, often);
  await owner.invite(id, last);
  await mailTo(last);
  expect(received.filter(({ to }) => to.includes(often))).toEqual([]);
  expect(await members.countDocuments({ workspaceId: id, email: often, status: 'invited' })).toBe(1);
});

test('the name of a workspace cannot add a header', async () => {
  const owner = await fixture.aPerson();
  const { id } = await owner.create();
  // The API rejects such a name, but the identity provider might supply it.
  await fixture.models.workspaces.updateOne({ _id: id }, { name: 'Kopi\r\nBcc: eve@example.com' });
  const email = anEmail();
  await owner.invite(id, email);
  const { to, text } = await mailTo(email);
  expect(to).toEqual([email]);
  expect(text.split('\r\n\r\n')[0]).not.toMatch(/^bcc/im);
});

test('an email that the server rejects temporarily is retried', async () => {
  temporaryRejectionsLeft = 2;
  const owner = await fixture.aPerson();
  const { id } = await owner.create();
  const email = anEmail();
  await owner.invite(id, email);
  await mailTo(email);
  expect(temporaryRejectionsLeft).toBe(0);
});

test('an email that the server rejects permanently is dropped and does not delay others', async () => {
  const owner = await fixture.aPerson();
  const { id } = await owner.create();
  const [wrong, right] = [anEmail(), anEmail()];
  refused.set(wrong, '5.1.1 No such mailbox');
  await owner.invite(id, wrong);
  await owner.invite(id, right);
  await mailTo(right);
  expect(received.filter(({ to }) => to.includes(wrong))).toEqual([]);
  expect(await fixture.models.deadLetters.countDocuments({})).toBe(0);
  await until(() => fixture.models.invitationMails.findOne({ workspaceId: id, email: wrong.toLowerCase() }));
});

test('mails that are retried do not delay others', async () => {
  const owner = await fixture.aPerson();
  const { id } = await owner.create();
  const denied = Array.from({ length: 8 }, () => anEmail().toLowerCase());
  for (const email of denied) refused.set(email, '5.7.1 Recipient not authorized');
  for (const email of denied) await owner.invite(id, email);
  const right = anEmail();
  await owner.invite(id, right);
  await mailTo(right);
  expect(received.filter(({ to }) => denied.includes(to[0]!))).toEqual([]);
  for (const email of denied) refused.delete(email);
});

test.each(['5.7.1 Relay access denied', '5.1.8 Sender address rejected: domain not found'])(
  'an email that the server rejects because of a wrong configuration is retried: %s',
  async (reason) => {
    const owner = await fixture.aPerson();
    const { id } = await owner.create();
    const email = anEmail().toLowerCase();
    refused.set(email, reason);
    const rejectionsBefore = rejections;
    await owner.invite(id, email);
    await until(() => rejections > rejectionsBefore);
    refused.delete(email);
    await mailTo(email);
  },
);
