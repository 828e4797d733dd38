import type { ClientMetadata } from 'oidc-provider';

/** The two clients of the product, both public (RFC 6749 2.1). */
export interface Clients {
  /** Signs people in by browser, or with their passwords. */
  dashboard: {
    id: string;
    redirectUris: string[];
    postLogoutUris: string[];
    /** Where a sign-in begins for people who come to the provider first. */
    loginUri?: string;
  };
  /** Signs people in from terminals. */
  device: { id: string };
}

/** The clients as oidc-provider is told of them. */
export const clientMetadata = ({ dashboard, device }: Clients): ClientMetadata[] => [
  {
    client_id: dashboard.id,
    client_name: 'Tautan',
    redirect_uris: dashboard.redirectUris,
    post_logout_redirect_uris: dashboard.postLogoutUris,
    grant_types: ['authorization_code', 'refresh_token', 'password'],
    response_types: ['code'],
  },
  {
    client_id: device.id,
    client_name: 'Tautan for terminals',
    redirect_uris: [],
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types: [],
  },
];
