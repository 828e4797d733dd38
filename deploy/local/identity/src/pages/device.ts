import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import type { People } from '../people/people.js';
import type { Person } from '../people/person.js';
import { html, page, type Page } from '@tautan/local-web';
import { row } from './fields.js';
import { respond, xsrfOf } from './respond.js';

/** Who asks to sign in, as the device's request had it. */
interface Asking {
  client: Client;
  info: Record<string, unknown>;
  userCode: string;
}

const problems: Record<string, string> = {
  NoCodeError: 'Enter the code that your terminal shows.',
  NotFoundError: 'There is no such code. Compare it with the one in your terminal.',
  ExpiredError: 'This code has expired. Begin again in your terminal.',
  AlreadyUsedError: 'This code has been used. Begin again in your terminal.',
};
const unexpected = 'That took too long, or was begun in another browser. Enter the code again.';

/** Asks for the code; goes right on to the confirmation when the address brought a good one. */
export async function enterCode(ctx: KoaContextWithOIDC, people: People, error?: Error): Promise<void> {
  if (error?.name === 'AbortedError') return respond(ctx, deniedPage());
  const code = typeof ctx.state['userCode'] === 'string' ? ctx.state['userCode'].slice(0, 20) : codeOf(error);
  if (error || !code) return respond(ctx, enterCodePage(ctx, code, error && (problems[error.name] ?? unexpected)));
  const asking = await askingWith(ctx, code);
  if (asking) return confirmDevice(ctx, people, asking);
  return respond(ctx, enterCodePage(ctx, code, problems['NotFoundError']));
}

/** Says who asks, with what code and from where, and lets the person decide (RFC 8628 3.3.1, 5.4). */
export async function confirmDevice(ctx: KoaContextWithOIDC, people: People, asking: Asking): Promise<void> {
  const person = ctx.oidc.session?.accountId ? people.withId(ctx.oidc.session.accountId) : undefined;
  respond(ctx, confirmPage(ctx, asking, person));
}

export const deviceDone = (ctx: KoaContextWithOIDC): void =>
  respond(
    ctx,
    page({
      sign: 'done',
      title: 'You are signed in',
      lead: 'Go back to your terminal: it has noticed, or will within seconds. You can close this page.',
    }),
  );

const deniedPage = (): Page =>
  page({
    sign: 'refused',
    title: 'Nobody was signed in',
    lead: 'You denied the request. The terminal that asked has no access. You can close this page.',
  });

const codeOf = (error?: Error): string => (error as { userCode?: string } | undefined)?.userCode?.slice(0, 20) ?? '';

async function askingWith(ctx: KoaContextWithOIDC, text: string): Promise<Asking | undefined> {
  const { DeviceCode, Client } = ctx.oidc.provider;
  const normalized = text.toUpperCase().replace(/\W/g, '');
  const code = await DeviceCode.findByUserCode(normalized);
  if (!code || code.error || code.accountId || code.inFlight || code.isExpired || !code.clientId) return undefined;
  const client = await Client.find(code.clientId);
  const userCode = `${normalized.slice(0, 4)}-${normalized.slice(4)}`;
  return client && { client, info: code.deviceInfo ?? {}, userCode };
}

function enterCodePage(ctx: KoaContextWithOIDC, code: string, problem?: string): Page {
  return page({
    status: problem === undefined ? 200 : 400,
    title: 'Connect a terminal',
    lead: 'Enter the code that your terminal shows.',
    content: html`<form method="post" action="${ctx.oidc.urlFor('code_verification')}">
      <input type="hidden" name="xsrf" value="${xsrfOf(ctx)}" />
      <div class="field">
        <label for="user_code">Code</label>
        <input
          class="code"
          id="user_code"
          name="user_code"
          type="text"
          value="${code}"
          placeholder="XXXX-XXXX"
          required
          maxlength="20"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          autofocus
          ${problem !== undefined && html`aria-invalid="true" aria-describedby="user_code-error"`}
        />
        ${problem !== undefined && html`<p class="error" id="user_code-error">${problem}</p>`}
      </div>
      <button>Continue</button>
    </form>`,
  });
}

function confirmPage(ctx: KoaContextWithOIDC, { client, info, userCode }: Asking, person: Person | undefined): Page {
  return page({
    title: 'Is this you?',
    lead: html`<b>${client.clientName ?? client.clientId}</b> asks to sign in with your account. Go on only if you began
      this yourself and your terminal shows this code.`,
    content: html`<p class="usercode" role="img" aria-label="Code ${userCode}">${userCode}</p>
      <dl>
        ${row('Program', programOf(info))} ${placeRow(info)} ${person && row('Account', person.name, person.email)}
      </dl>
      <form method="post" action="${ctx.oidc.urlFor('code_verification')}">
        <input type="hidden" name="xsrf" value="${xsrfOf(ctx)}" />
        <input type="hidden" name="user_code" value="${userCode}" />
        <input type="hidden" name="confirm" value="yes" />
        <button>${person ? 'Approve' : 'Approve and sign in'}</button>
        <button class="quiet" name="abort" value="yes">Deny</button>
      </form>`,
  });
}

function programOf({ agent }: Record<string, unknown>): string {
  const text = typeof agent === 'string' ? agent.trim() : '';
  if (!text) return 'Does not say';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function placeRow({ ip }: Record<string, unknown>) {
  const address = String(ip).replace(/^::ffff:/, '');
  const isHere = address === '::1' || address.startsWith('127.');
  return isHere ? row('Place', 'This computer', address) : row('Place', address);
}
