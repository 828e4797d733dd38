import { z } from 'zod';
import {
  brandSettings,
  mongoSettings,
  natsSettings,
  processSettings,
  publicAddress,
  readConfig,
  rpcSettings,
  sealingSettings,
  withSecureRpc,
} from '@tautan/kit';
import { defaultPlanSetting, planSettings } from '@tautan/plans';

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
  .transform((url) => url.replace(/\/+$/, ''));

/** Settings of the identity provider. Without IDENTITY_URL users cannot sign in, but API keys work. */
const identitySettings = {
  /** URL of the provider, under which its discovery document is located. */
  IDENTITY_URL: address.optional(),
  /** `iss` of the provider's tokens, if it differs from `issuer` in the discovery document. */
  IDENTITY_ISSUER: z.string().optional(),
  /** Required `aud` of access tokens. */
  IDENTITY_AUDIENCE: z.string().optional(),
  IDENTITY_CLIENT_ID: z.string().optional(),
  /** Absent for a public client. */
  IDENTITY_CLIENT_SECRET: z.string().optional(),
  /** How the secret is sent to the provider (RFC 6749, 2.3.1). */
  IDENTITY_CLIENT_AUTH: z.enum(['basic', 'post']).default('basic'),
  /** Client id of the public client that the CLI signs users in with (RFC 8628); empty for none. */
  IDENTITY_DEVICE_CLIENT_ID: z.string().default(''),
  IDENTITY_SCOPE: z.string().default('openid profile email offline_access'),
  IDENTITY_CLAIM_EMAIL: z.string().default('email'),
  IDENTITY_CLAIM_NAME: z.string().default('name'),
  IDENTITY_SIGNUP_URL: address.optional(),
  IDENTITY_FORGOT_PASSWORD_URL: address.optional(),
  /** Where workspaces and memberships are managed: at the provider, or locally. */
  IDENTITY_WORKSPACES: z.enum(['provider', 'local']).default('provider'),
  /** Timeout of a call to the provider, milliseconds. */
  IDENTITY_TIMEOUT_MS: z.coerce.number().int().min(100).max(5_000).default(3_000),
};

/** A mailbox, with or without a name: `Tautan <no-reply@example.com>`. */
const mailbox = /^(?:[^<>@\r\n]*<)?[^<>@\s]+@([A-Za-z0-9.-]+)>?$/;

/** Mail settings. Without SMTP_URL, no mail is sent. */
const mailSettings = {
  /**
   * SMTP server that invitations are mailed through: `smtps://user:password@host:465`, or `smtp://…:587`, which uses
   * STARTTLS if offered.
   */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  /** Sender of mail. Required with SMTP_URL. */
  MAIL_FROM: z.string().regex(mailbox, 'must be an email address, such as Tautan <no-reply@example.com>').optional(),
  /** Origin of the web application, for links in mail. Required with SMTP_URL. */
  BASE_URL: publicAddress.optional(),
  BRAND_NAME: brandSettings.BRAND_NAME,
};

/** The other settings that a setting requires. */
const required = {
  IDENTITY_URL: ['IDENTITY_AUDIENCE', 'IDENTITY_CLIENT_ID'],
  SMTP_URL: ['MAIL_FROM', 'BASE_URL'],
} as const;
/** A setting for the maximum number of something. */
const ceiling = (fallback: number) => z.coerce.number().int().min(1).max(1_000_000).default(fallback);

const unconditionalSchema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_workspaces'),
  ...natsSettings,
  ...rpcSettings('workspaces'),
  ...planSettings,
  DEFAULT_PLAN: defaultPlanSetting,
  /** Maximum number of workspaces that a user can own. */
  MAX_WORKSPACES_PER_USER: ceiling(20),
  /** Maximum number of unrevoked API keys per workspace. */
  MAX_API_KEYS: ceiling(100),
  ...sealingSettings,
  ...identitySettings,
  ...mailSettings,
});

const conditions = Object.entries(required).flatMap(([given, names]) =>
  names.map((name) => ({ given: given as keyof typeof required, name })),
);

/** All settings of this service. */
export const configSchema = conditions.reduce(
  (schema, { given, name }) =>
    schema.refine((config) => !config[given] || config[name] !== undefined, {
      path: [name],
      error: 'must be set',
      // Also runs if other settings are invalid, so that all problems are reported together.
      when: ({ value, issues }) =>
        typeof value === 'object' && value !== null && !issues.some(({ path }) => path?.[0] === name),
    }),
  withSecureRpc(unconditionalSchema),
);

export type Config = z.infer<typeof unconditionalSchema>;

/** Reads the settings. Throws a ConfigError that lists all problems. */
export const readWorkspacesConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfig(configSchema, env);

/** Settings of the adapter for the identity provider. */
export interface IdentitySettings {
  url: string;
  issuer: string | undefined;
  audience: string;
  clientId: string;
  clientSecret: string | undefined;
  clientAuth: 'basic' | 'post';
  deviceClientId: string;
  scope: string;
  claims: { email: string; name: string };
  signUpUrl: string | undefined;
  forgotPasswordUrl: string | undefined;
  workspaces: 'provider' | 'local';
  timeoutMs: number;
}

/** Returns the provider's settings, or undefined if none is configured. */
export function identityOf(config: Config): IdentitySettings | undefined {
  const { IDENTITY_URL: url, IDENTITY_AUDIENCE: audience, IDENTITY_CLIENT_ID: clientId } = config;
  if (!url || !audience || !clientId) return undefined;
  return {
    url,
    issuer: config.IDENTITY_ISSUER,
    audience,
    clientId,
    clientSecret: config.IDENTITY_CLIENT_SECRET,
    clientAuth: config.IDENTITY_CLIENT_AUTH,
    deviceClientId: config.IDENTITY_DEVICE_CLIENT_ID,
    scope: config.IDENTITY_SCOPE,
    claims: { email: config.IDENTITY_CLAIM_EMAIL, name: config.IDENTITY_CLAIM_NAME },
    signUpUrl: config.IDENTITY_SIGNUP_URL,
    forgotPasswordUrl: config.IDENTITY_FORGOT_PASSWORD_URL,
    workspaces: config.IDENTITY_WORKSPACES,
    timeoutMs: config.IDENTITY_TIMEOUT_MS,
  };
}

/** Settings of the mailer and of its messages. */
export interface MailSettings {
  url: string;
  from: string;
  /** Domain of the sender, for message ids. */
  domain: string;
  brand: string;
  appUrl: string;
}

/** Returns the mail settings, or undefined if mail is not configured. */
export function mailOf({
  SMTP_URL: url,
  MAIL_FROM: from,
  BASE_URL,
  BRAND_NAME: brand,
}: Config): MailSettings | undefined {
  if (url === undefined || from === undefined || BASE_URL === undefined) return undefined;
  return { url, from, domain: mailbox.exec(from)![1]!, brand, appUrl: `${BASE_URL}/app` };
}
