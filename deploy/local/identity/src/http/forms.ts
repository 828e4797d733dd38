import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import type { Log } from '@tautan/kit';
import { accountPage, landingPage } from '../pages/account.js';
import { formOf, type Page, Refusal, sendPage } from '@tautan/local-web';
import { expiredPage, failurePage, welcomePage } from '../pages/messages.js';
import { signInPage, signUpPage } from '../pages/sign-in.js';
import type { People } from '../people/people.js';
import type { SignInLinks } from '../people/sign-in-links.js';
import type { Person } from '../people/person.js';
import type { InvitationLinks } from '../workspaces/invitation-links.js';
import type { Workspaces } from '../workspaces/workspaces.js';
import { attempt } from './attempt.js';
import { BrowserSessions } from './browser-sessions.js';
import { isFromThisMachine } from './client-address.js';
import { createInvitationLink, invitationPath, showInvitation } from './invitation-pages.js';
import { forgotPassword, resetPassword, type OnReset } from './password-pages.js';

interface Deps {
  issuer: string;
  provider: Provider;
  people: People;
  signInLinks: SignInLinks;
  log: Log;
  onReset: OnReset;
  /** URL that starts a sign-in for users who open the provider directly. */
  loginUri: string | undefined;
  /** Origins that a sign-in may redirect to. */
  formTargets: string[];
  workspaces: Workspaces;
  links: InvitationLinks;
  /** Whether email addresses of sign-ups from this machine count as verified. */
  trustSignUps: boolean;
}

/** A request for a page. */
interface PageRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** Fields of a POST. */
  form: Record<string, string> | undefined;
  /** Whether the request comes from this machine. */
  isLocal: boolean;
}

const paths = ['/', '/sign-in', '/sign-up', '/forgot-password', '/reset-password', '/invitation', '/invitation-links'];

/** The HTML pages: sign in, sign up, forgotten passwords, invitations. */
export class Forms {
  readonly #sessions: BrowserSessions;

  constructor(private readonly deps: Deps) {
    this.#sessions = new BrowserSessions(deps.provider);
  }

  /** Handles a request for a page. Returns false if the path has no page. */
  async handle(request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL): Promise<boolean> {
    const isPost = request.method === 'POST';
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') return false;
    const [, uid, step] = /^\/interaction\/([\w-]+)(?:\/([\w-]+))?$/.exec(pathname) ?? [];
    const [, signInToken] = isPost ? [] : (/^\/demo\/([\w-]+)$/.exec(pathname) ?? []);
    // Leave the body of other requests unread for their handlers.
    if (uid === undefined && signInToken === undefined && !paths.includes(pathname)) return false;
    try {
      const form = isPost ? await formOf(request, this.deps.issuer) : undefined;
      const visit = { request, response, form, isLocal: isFromThisMachine(request) };
      const page = await (signInToken !== undefined
        ? this.#signInByLink(visit, signInToken)
        : uid === undefined
          ? this.#page(pathname, visit, searchParams)
          : this.#interaction({ uid, step, ...visit }));
      if (!page) return false;
      if (page !== 'sent') sendPage(response, page, this.deps.formTargets);
    } catch (error) {
      sendPage(response, this.#failure(error));
    }
    return true;
  }

  async #page(path: string, visit: PageRequest, query: URLSearchParams): Promise<Page | 'sent' | undefined> {
    const { form } = visit;
    const token = form?.['token'] ?? query.get('token') ?? '';
    switch (path) {
      case '/':
        return this.#account(visit);
      case '/sign-in':
      case '/sign-up':
        return this.#signInOrUp(path, visit, query.get('invitation'));
      case '/forgot-password':
        return forgotPassword(this.deps, visit, { action: path, signIn: this.#signInUrl() });
      case '/reset-password':
        return resetPassword(this.deps, { form, token, signIn: this.#signInUrl() });
      case '/invitation':
        return showInvitation(this.deps, {
          person: await this.#signedIn(visit),
          token,
          isSubmitted: form !== undefined,
        });
      case '/invitation-links':
        if (!form) return undefined;
        return createInvitationLink(this.deps, { person: await this.#signedIn(visit), memberId: form['member'] ?? '' });
      default:
        return undefined;
    }
  }

  async #account(visit: PageRequest): Promise<Page> {
    const { loginUri: signIn, workspaces } = this.deps;
    const person = await this.#signedIn(visit);
    const device = '/api/v1/oidc/device';
    if (!person) return landingPage({ signIn: this.#signInUrl(), signUp: '/sign-up', device });
    const invitations = workspaces.openInvitations(person);
    return accountPage(person, { signIn, signOut: '/api/v1/oidc/end-session', device }, invitations);
  }

  async #signedIn({ request, response }: PageRequest): Promise<Person | undefined> {
    const id = await this.#sessions.personIdOf(request, response);
    return id === undefined ? undefined : this.deps.people.withId(id);
  }

  /** Returns the URL that starts a sign-in if no application has started one. */
  #signInUrl(): string {
    return this.deps.loginUri ?? '/sign-in';
  }

  /**
   * Signs a user in or up when no application started the sign-in. Then redirects to the invitation, or else to
   * `loginUri`. Shows the welcome page if there is neither.
   */
  async #signInOrUp(
    path: '/sign-in' | '/sign-up',
    visit: PageRequest,
    invitation: string | null,
  ): Promise<Page | 'sent' | undefined> {
    const { form } = visit;
    const query = invitation === null ? '' : `?${new URLSearchParams({ invitation })}`;
    const urls = { action: path + query, signUp: `/sign-up${query}`, forgotPassword: '/forgot-password' };
    const next = invitation === null ? this.deps.loginUri : invitationPath(invitation);
    const onSuccess = (person: Person): Promise<Page | 'sent'> => this.#startSession(visit, person, next);
    if (path === '/sign-in') return this.#signIn({ application: 'Tautan' }, form, urls, onSuccess);
    return this.#signUp(visit, { ...urls, signIn: query === '' ? this.#signInUrl() : `/sign-in${query}` }, onSuccess);
  }

  /** Signs in the user of a sign-in link. HEAD requests, such as those of link previews, start no session. */
  async #signInByLink(visit: PageRequest, token: string): Promise<Page | 'sent'> {
    const id = this.deps.signInLinks.personIdOf(token);
    const person = id === undefined ? undefined : this.deps.people.withId(id);
    if (!person)
      return failurePage(
        404,
        'This link has expired',
        'Sign-in links expire when Tautan stops. Use the last one that it printed.',
      );
    if (visit.request.method === 'HEAD') return welcomePage(person.name);
    return this.#startSession(visit, person, this.deps.loginUri);
  }

  /** Starts the user's session in this browser and redirects to `next`, if given. */
  async #startSession(
    { request, response }: PageRequest,
    { id, name }: Person,
    next: string | undefined,
  ): Promise<Page | 'sent'> {
    await this.#sessions.start(request, response, id);
    if (next === undefined) return welcomePage(name);
    response.writeHead(303, { Location: next, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
    return 'sent';
  }

  /**
   * Serves the pages of a sign-in that an application started. The cookie of oidc-provider identifies the sign-in; the
   * URL only repeats its id.
   */
  async #interaction({
    uid,
    step,
    ...visit
  }: PageRequest & { uid: string; step: string | undefined }): Promise<Page | 'sent' | undefined> {
    const { provider } = this.deps;
    const { request, response } = visit;
    const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
    if (interaction?.uid !== uid) return expiredPage();
    if (interaction.prompt.name !== 'login') {
      await provider.interactionFinished(request, response, { consent: {} });
      return 'sent';
    }
    const start = `/interaction/${uid}`;
    const urls = { signIn: start, signUp: `${start}/sign-up`, forgotPassword: `${start}/forgot-password` };
    const finishSignIn = async ({ id }: { id: string }): Promise<'sent'> => {
      await provider.interactionFinished(request, response, { login: { accountId: id, amr: ['pwd'] } });
      return 'sent';
    };
    switch (step) {
      case undefined:
        return this.#signIn(await this.#clientOf(interaction), visit.form, { ...urls, action: start }, finishSignIn);
      case 'sign-up':
        return this.#signUp(visit, { ...urls, action: urls.signUp }, finishSignIn);
      case 'forgot-password':
        return forgotPassword(this.deps, visit, { ...urls, action: urls.forgotPassword });
      default:
        return undefined;
    }
  }

  /** Returns the name of the application that started a sign-in, and the email address that it suggests. */
  async #clientOf({ params }: Interaction): Promise<{ application: string; hint?: string }> {
    const client = await this.deps.provider.Client.find(String(params['client_id']));
    const hint = params['login_hint'];
    return { application: client?.clientName ?? 'Tautan', ...(typeof hint === 'string' && { hint }) };
  }

  async #signIn<T>(
    { application, hint }: { application: string; hint?: string },
    form: Record<string, string> | undefined,
    urls: Parameters<typeof signInPage>[1],
    onSuccess: (person: Person) => Promise<T>,
  ): Promise<Page | T> {
    if (!form) return signInPage(application, urls, { email: hint });
    const { email, password } = form;
    return attempt(
      async () => onSuccess(await this.deps.people.signIn({ email, password })),
      (problem, status) => signInPage(application, urls, { email }, problem, status),
    );
  }

  async #signUp<T>(
    { form, isLocal }: PageRequest,
    urls: Parameters<typeof signUpPage>[0],
    onSuccess: (person: Person) => Promise<T>,
  ): Promise<Page | T> {
    if (!form) return signUpPage(urls);
    const { email, password, name } = form;
    return attempt(
      async () =>
        onSuccess(await this.deps.people.signUp({ email, password, name }, this.deps.trustSignUps && isLocal)),
      (problem, status) => signUpPage(urls, { email, name }, problem, status),
    );
  }

  #failure(error: unknown): Page {
    if (error instanceof Refusal) return failurePage(error.status, 'Something went wrong', error.message);
    this.deps.log.error({ err: error }, 'a page failed');
    return failurePage(500, 'Something went wrong', 'An internal error occurred. Try again in a moment.');
  }
}
