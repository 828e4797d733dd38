import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import type { Log } from '@tautan/kit';
import type { Problem } from '../pages/fields.js';
import { formOf, type Page, Refusal, sendPage } from '@tautan/local-web';
import {
  accountPage,
  expiredPage,
  failurePage,
  landingPage,
  passwordSavedPage,
  welcomePage,
} from '../pages/messages.js';
import { forgotPasswordPage, resetLinkPage, resetPasswordPage, signInPage, signUpPage } from '../pages/people.js';
import type { People } from '../people/people.js';
import { emailOf } from '../people/person.js';
import { BrowserSessions } from './browser-sessions.js';
import { isFromThisMachine } from './client-address.js';

interface Deps {
  issuer: string;
  provider: Provider;
  people: People;
  log: Log;
  onReset: OnReset;
  /** Where a sign-in begins for people who come to the provider first. */
  loginUri: string | undefined;
  /** Origins that a sign-in may go on to. */
  formTargets: string[];
}

/** What a page is asked with. */
interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  /** Of a POST. */
  form: Record<string, string> | undefined;
  /** Whether the browser runs on this machine. */
  isHere: boolean;
}

/** Receives the link under which the person of an address may set a new password. */
export type OnReset = (email: string, link: string) => void;

/** The address of the page on which a new password is set. */
export const resetAddress = (issuer: string, token: string): string => `${issuer}/reset-password?token=${token}`;

const paths = ['/', '/sign-up', '/forgot-password', '/reset-password'];

/** The pages for people: sign in, sign up, forgotten passwords. */
export class Forms {
  readonly #sessions: BrowserSessions;

  constructor(private readonly deps: Deps) {
    this.#sessions = new BrowserSessions(deps.provider);
  }

  /** Answers a request for a page; false when there is none at this path. */
  async handle(request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL): Promise<boolean> {
    const isPost = request.method === 'POST';
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') return false;
    const [, uid, step] = /^\/interaction\/([\w-]+)(?:\/([\w-]+))?$/.exec(pathname) ?? [];
    // The body of what is not ours is left for who reads it.
    if (uid === undefined && !paths.includes(pathname)) return false;
    try {
      const form = isPost ? await formOf(request, this.deps.issuer) : undefined;
      const visit = { request, response, form, isHere: isFromThisMachine(request) };
      const shown =
        uid === undefined
          ? await this.#page(pathname, visit, searchParams)
          : await this.#interaction({ uid, step, ...visit });
      if (!shown) return false;
      if (shown !== 'sent') sendPage(response, shown, this.deps.formTargets);
    } catch (error) {
      sendPage(response, this.#failure(error));
    }
    return true;
  }

  async #page(path: string, visit: Visit, query: URLSearchParams): Promise<Page | 'sent' | undefined> {
    const { loginUri: signIn } = this.deps;
    const { form } = visit;
    switch (path) {
      case '/':
        return this.#account(visit);
      case '/sign-up':
        return this.#signUp(form, { action: path, ...(signIn !== undefined && { signIn }) }, (person) =>
          this.#welcome(visit, person),
        );
      case '/forgot-password':
        return this.#forgotPassword(visit, { action: path, ...(signIn !== undefined && { signIn }) });
      case '/reset-password':
        return this.#resetPassword(form, query);
      default:
        return undefined;
    }
  }

  async #account({ request, response }: Visit): Promise<Page> {
    const { loginUri: signIn, people } = this.deps;
    const id = await this.#sessions.personIdOf(request, response);
    const person = id === undefined ? undefined : people.withId(id);
    const device = '/api/v1/oidc/device';
    return person
      ? accountPage(person, { signIn, signOut: '/api/v1/oidc/end-session', device })
      : landingPage({ signIn, signUp: '/sign-up', device });
  }

  /** Signs in whoever has just signed up, and leads on to the application. */
  async #welcome({ request, response }: Visit, { id, name }: { id: string; name: string }): Promise<Page | 'sent'> {
    const { loginUri } = this.deps;
    await this.#sessions.start(request, response, id);
    if (loginUri === undefined) return welcomePage(name);
    response.writeHead(303, { Location: loginUri, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
    return 'sent';
  }

  /** The pages within a sign-in. The cookie that oidc-provider set says which one it is; the address only repeats it. */
  async #interaction({
    uid,
    step,
    ...visit
  }: Visit & { uid: string; step: string | undefined }): Promise<Page | 'sent' | undefined> {
    const { provider } = this.deps;
    const { request, response } = visit;
    const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
    if (interaction?.uid !== uid) return expiredPage();
    if (interaction.prompt.name !== 'login') {
      await provider.interactionFinished(request, response, { consent: {} });
      return 'sent';
    }
    const start = `/interaction/${uid}`;
    const places = { signIn: start, signUp: `${start}/sign-up`, forgotPassword: `${start}/forgot-password` };
    const enter = async ({ id }: { id: string }): Promise<'sent'> => {
      await provider.interactionFinished(request, response, { login: { accountId: id, amr: ['pwd'] } });
      return 'sent';
    };
    switch (step) {
      case undefined:
        return this.#signIn(interaction, visit.form, { ...places, action: start }, enter);
      case 'sign-up':
        return this.#signUp(visit.form, { ...places, action: places.signUp }, enter);
      case 'forgot-password':
        return this.#forgotPassword(visit, { ...places, action: places.forgotPassword });
      default:
        return undefined;
    }
  }

  async #signIn<T>(
    { params }: Interaction,
    form: Record<string, string> | undefined,
    places: Parameters<typeof signInPage>[1],
    done: (person: { id: string }) => Promise<T>,
  ): Promise<Page | T> {
    const client = await this.deps.provider.Client.find(String(params['client_id']));
    const to = client?.clientName ?? 'Tautan';
    const hint = typeof params['login_hint'] === 'string' ? params['login_hint'] : undefined;
    if (!form) return signInPage(to, places, { email: hint });
    const { email, password } = form;
    return attempt(
      async () => done(await this.deps.people.signIn({ email, password })),
      (problem, status) => signInPage(to, places, { email }, problem, status),
    );
  }

  async #signUp<T>(
    form: Record<string, string> | undefined,
    places: Parameters<typeof signUpPage>[0],
    done: (person: { id: string; name: string }) => Promise<T>,
  ): Promise<Page | T> {
    if (!form) return signUpPage(places);
    const { email, password, name } = form;
    return attempt(
      async () => done(await this.deps.people.signUp({ email, password, name })),
      (problem, status) => signUpPage(places, { email, name }, problem, status),
    );
  }

  async #forgotPassword({ form, isHere }: Visit, places: Parameters<typeof forgotPasswordPage>[0]): Promise<Page> {
    if (!form) return forgotPasswordPage(places);
    return attempt(
      async () => this.#sendLink(emailOf(form['email']), isHere),
      (problem, status) => forgotPasswordPage(places, { email: form['email'] }, problem, status),
    );
  }

  /** Makes a link, and shows it in the terminal and to a browser on this machine: nothing can be mailed. */
  async #sendLink(email: string, isHere: boolean): Promise<Page> {
    const { people, issuer, onReset } = this.deps;
    const { token, isKnown } = await people.askForReset(email);
    const link = resetAddress(issuer, token);
    if (isKnown) onReset(email, link);
    return resetLinkPage(email, isHere ? link : undefined);
  }

  async #resetPassword(form: Record<string, string> | undefined, query: URLSearchParams): Promise<Page> {
    const { people, loginUri } = this.deps;
    const token = form?.['token'] ?? query.get('token') ?? '';
    const person = people.personOfReset(token);
    if (!person)
      return failurePage(
        400,
        'This link has ended',
        'It was used already, or is older than an hour. Ask for a new one.',
      );
    const whose = { token, email: person.email };
    if (!form) return resetPasswordPage('/reset-password', whose);
    return attempt(
      async () => {
        await people.resetPassword(token, form['password']);
        return passwordSavedPage(loginUri);
      },
      (problem, status) => resetPasswordPage('/reset-password', whose, problem, status),
    );
  }

  #failure(error: unknown): Page {
    if (error instanceof Refusal) return failurePage(error.status, 'This did not work', error.message);
    this.deps.log.error({ err: error }, 'a page failed');
    return failurePage(500, 'Something went wrong', 'That was our fault. Try again in a moment.');
  }
}

/** Does what a form asked for; what was refused is shown in the form again. */
async function attempt<T>(act: () => Promise<T>, again: (problem: Problem, status: number) => Page): Promise<T | Page> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...again({ message: error.message, field: error.field }, error.status), retryAfter: error.retryAfter };
  }
}
