import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import type { People } from '../people/people.js';
import type { Person } from '../people/person.js';
import { html, page, type Page } from '@tautan/local-web';
import { row } from './fields.js';
import { respond, xsrfOf } from './respond.js';

/** A sign-in request of a device. */
interface DeviceRequest {
  client: Client;
  info: Record<string, unknown>;
  userCode: string;
}

const problems: Record<string, string> = {
  NoCodeError: 'Enter the code shown in your terminal.',
  NotFoundError: 'Unknown code. Compare it with the one in your terminal.',
  ExpiredError: 'This code has expired. Start again in your terminal.',
  AlreadyUsedError: 'This code has already been used. Start again in your terminal.',
};
const unexpected = 'The request has expired or was started in another browser. Enter the code again.';

/** Asks for the code, or shows the confirmation page if the URL contains a valid code. */
export async function enterCode(ctx: KoaContextWithOIDC, people: People, error?: Error): Promise<void> {
  if (error?.name === 'AbortedError') return respond(ctx, deniedPage());
  const code = typeof ctx.state['userCode'] === 'string' ? ctx.state['userCode'].slice(0, 20) : codeOf(error);
  if (error || !code) return respond(ctx, enterCodePage(ctx, code, error && (problems[error.name] ?? unexpected)));
  const request = await findDeviceRequest(ctx, code);
  if (request) return confirmDevice(ctx, people, request);
  return respond(ctx, enterCodePage(ctx, code, problems['NotFoundError']));
}

/** Shows the client, code and location of the request for confirmation (RFC 8628 sections 3.3.1 and 5.4). */
export async function confirmDevice(ctx: KoaContextWithOIDC, people: People, request: DeviceRequest): Promise<void> {
  const person = ctx.oidc.session?.accountId ? people.withId(ctx.oidc.session.accountId) : undefined;
  respond(ctx, confirmPage(ctx, request, person));
}

export const deviceDone = (ctx: KoaContextWithOIDC): void =>
  respond(
    ctx,
    page({
      symbol: 'done',
      title: 'You are signed in',
      lead: 'Your terminal will continue within a few seconds. You can close this page.',
    }),
  );

const deniedPage = (): Page =>
  page({
    symbol: 'refused',
    title: 'Sign-in denied',
    lead: 'You denied the request. The terminal has no access. You can close this page.',
  });

const codeOf = (error?: Error): string => (error as { userCode?: string } | undefined)?.userCode?.slice(0, 20) ?? '';

async function findDeviceRequest(ctx: KoaContextWithOIDC, text: string): Promise<DeviceRequest | undefined> {
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
    lead: 'Enter the code shown in your terminal.',
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

function confirmPage(
  ctx: KoaContextWithOIDC,
  { client, info, userCode }: DeviceRequest,
  person: Person | undefined,
): Page {
  return page({
    title: 'Is this you?',
    lead: html`<b>${client.clientName ?? client.clientId}</b> wants to sign in to your account. Continue only if you
      started this yourself and your terminal shows this code.`,
    content: html`<p class="usercode" role="img" aria-label="Code ${userCode}">${userCode}</p>
      <dl>
        ${row('Program', programOf(info))} ${locationRow(info)} ${person && row('Account', person.name, person.email)}
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
  if (!text) return 'Unknown';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function locationRow({ ip }: Record<string, unknown>) {
  const address = String(ip).replace(/^::ffff:/, '');
  const isLocal = address === '::1' || address.startsWith('127.');
  return isLocal ? row('Location', 'This computer', address) : row('Location', address);
}
