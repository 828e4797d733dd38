// Original file: billing.proto


export interface Portal {
  'portalUrl'?: (string);
  'expiresAt'?: (string);
}

export interface Portal__Output {
  'portalUrl': (string);
  'expiresAt': (string);
}
