// Original file: workspaces.proto


export interface Session {
  'id'?: (string);
  'current'?: (boolean);
  'ip'?: (string);
  'userAgent'?: (string);
  'createdAt'?: (string);
  'lastSeenAt'?: (string);
  'expiresAt'?: (string);
  '_ip'?: "ip";
  '_userAgent'?: "userAgent";
}

export interface Session__Output {
  'id': (string);
  'current': (boolean);
  'ip'?: (string);
  'userAgent'?: (string);
  'createdAt': (string);
  'lastSeenAt': (string);
  'expiresAt': (string);
  '_ip'?: "ip";
  '_userAgent'?: "userAgent";
}
