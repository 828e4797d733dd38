// Original file: workspaces.proto


export interface AuditEntry {
  'id'?: (string);
  'action'?: (string);
  'actorType'?: (string);
  'actorId'?: (string);
  'actorName'?: (string);
  'targetType'?: (string);
  'targetId'?: (string);
  'targetLabel'?: (string);
  'changes'?: (string);
  'ip'?: (string);
  'userAgent'?: (string);
  'requestId'?: (string);
  'createdAt'?: (string);
  '_actorId'?: "actorId";
  '_ip'?: "ip";
  '_userAgent'?: "userAgent";
  '_requestId'?: "requestId";
}

export interface AuditEntry__Output {
  'id': (string);
  'action': (string);
  'actorType': (string);
  'actorId'?: (string);
  'actorName': (string);
  'targetType': (string);
  'targetId': (string);
  'targetLabel': (string);
  'changes': (string);
  'ip'?: (string);
  'userAgent'?: (string);
  'requestId'?: (string);
  'createdAt': (string);
  '_actorId'?: "actorId";
  '_ip'?: "ip";
  '_userAgent'?: "userAgent";
  '_requestId'?: "requestId";
}
