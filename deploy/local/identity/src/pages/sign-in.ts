import { alert, field, type Problem } from './fields.js';
import { html, page, type Page } from '@tautan/local-web';

type Values = Record<string, string | undefined>;

/** URLs of the forms. `action` is the target of this page's form. */
export interface FormUrls {
  action: string;
  signIn?: string;
  signUp?: string;
  forgotPassword?: string;
}

const emailField = (values: Values, problem?: Problem, autofocus = true) =>
  field(
    { name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: values['email'], autofocus },
    problem,
  );

const newPasswordField = (label: string, problem?: Problem, autofocus = false) =>
  field(
    {
      name: 'password',
      label,
      type: 'password',
      autocomplete: 'new-password',
      hint: problem?.field === 'password' ? undefined : 'At least 10 characters.',
      autofocus,
    },
    problem,
  );

export function signInPage(
  application: string,
  urls: FormUrls,
  values: Values = {},
  problem?: Problem,
  status = 200,
): Page {
  const hasEmail = !!values['email'];
  return page({
    status,
    title: 'Sign in',
    lead: html`to continue to <b>${application}</b>`,
    content: html`${alert(problem)}
      <form method="post" action="${urls.action}">
        ${emailField(values, problem, !hasEmail)}
        ${field(
          {
            name: 'password',
            label: 'Password',
            type: 'password',
            autocomplete: 'current-password',
            autofocus: hasEmail,
          },
          problem,
        )}
        <button>Sign in</button>
      </form>
      <p class="more"><a href="${urls.forgotPassword}">Forgot your password?</a></p>`,
    foot: html`New here? <a href="${urls.signUp}">Create an account</a>`,
  });
}

export function signUpPage(urls: FormUrls, values: Values = {}, problem?: Problem, status = 200): Page {
  return page({
    status,
    title: 'Create your account',
    lead: 'One account for your links, QR codes and workspaces.',
    content: html`${alert(problem)}
      <form method="post" action="${urls.action}">
        ${field(
          { name: 'name', label: 'Name', type: 'text', autocomplete: 'name', value: values['name'], autofocus: true },
          problem,
        )}
        ${emailField(values, problem, false)} ${newPasswordField('Password', problem)}
        <button>Create account</button>
      </form>`,
    foot: urls.signIn === undefined ? undefined : html`Have an account? <a href="${urls.signIn}">Sign in</a>`,
  });
}

export function forgotPasswordPage(urls: FormUrls, values: Values = {}, problem?: Problem, status = 200): Page {
  return page({
    status,
    title: 'Set a new password',
    lead: 'Enter your email address to request a link for setting a new password.',
    content: html`${alert(problem)}
      <form method="post" action="${urls.action}">
        ${emailField(values, problem)}
        <button>Request a link</button>
      </form>`,
    foot: urls.signIn === undefined ? undefined : html`<a href="${urls.signIn}">Back to sign in</a>`,
  });
}

/**
 * Returns the page that follows a request for a password reset. It is the same for known and unknown email addresses.
 * `link` is for browsers on this machine only: the page shows it, because no email is sent.
 */
export function resetLinkPage(email: string, link: string | undefined): Page {
  const explanation = link === undefined ? 'The link is shown in the terminal.' : 'This is the link:';
  return page({
    title: 'Password reset requested',
    lead: html`If <b>${email}</b> has an account, you can set a new password with a link.`,
    content: html`<div class="note">
      <p>The local stack sends no email. ${explanation}</p>
      ${link !== undefined && html`<a href="${link}">Set a new password</a>`}
    </div>`,
  });
}

export function resetPasswordPage(
  action: string,
  { token, email }: { token: string; email: string },
  problem?: Problem,
  status = 200,
): Page {
  return page({
    status,
    title: 'Choose a new password',
    lead: html`for <b>${email}</b>`,
    content: html`${alert(problem)}
      <form method="post" action="${action}">
        <input type="hidden" name="token" value="${token}" />
        <input type="email" autocomplete="username" value="${email}" readonly hidden />
        ${newPasswordField('New password', problem, true)}
        <button>Save the password</button>
      </form>`,
  });
}
