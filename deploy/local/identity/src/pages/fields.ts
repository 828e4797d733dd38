import { html, type Html } from '@tautan/local-web';

export interface Field {
  name: string;
  label: string;
  type: 'email' | 'password' | 'text';
  /** https://html.spec.whatwg.org/#autofill */
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  autofocus?: boolean;
}

/** An error from the previous submission. */
export interface Problem {
  message: string;
  field?: string | undefined;
}

/** Returns a labeled input. If the problem is about this field, its message is shown and the input receives focus. */
export function field({ name, label, type, autocomplete, value, hint, autofocus }: Field, problem?: Problem): Html {
  const error = problem?.field === name ? problem.message : undefined;
  const describedBy = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ');
  const focus = problem?.field === undefined ? autofocus : error !== undefined;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      value="${value ?? ''}"
      required
      ${type === 'password' ? '' : html`autocapitalize="${name === 'name' ? 'words' : 'none'}" spellcheck="false"`}
      ${error !== undefined && html`aria-invalid="true"`}
      ${describedBy !== '' && html`aria-describedby="${describedBy}"`}
      ${focus === true && html`autofocus`}
    />
    ${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

/** Returns an alert for a problem that is not about a field. */
export const alert = (problem: Problem | undefined): Html | undefined =>
  problem && problem.field === undefined ? html`<p class="alert" role="alert">${problem.message}</p>` : undefined;

/** Returns a row of a description list. */
export const row = (name: string, value: string, more?: string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${more !== undefined && html`<small>${more}</small>`}</dd>
  </div>`;
