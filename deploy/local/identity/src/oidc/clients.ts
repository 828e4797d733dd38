import type { ClientMetadata } from 'oidc-provider';

/** The two clients of the product, both public (RFC 6749 section 2.1). */
export interface Clients {
  /** Browser and password sign-in. */
  dashboard: {
    id: string;
    redirectUris: string[];
    postLogoutUris: string[];
    /** URL that starts a sign-in for users who open the provider directly. */
    loginUri?: string;
  };
  /** Sign-in from terminals. */
  device: { id: string };
}

/** Returns the client metadata for oidc-provider. */
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
    client_name: 'Tautan CLI',
    redirect_uris: [],
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types: [],
  },
];
