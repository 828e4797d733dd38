// Original file: workspaces.proto


export interface RequestHolder {
  'process'?: (string);
  'instance'?: (string);
  '_instance'?: "instance";
}

export interface RequestHolder__Output {
  'process': (string);
  'instance'?: (string);
  '_instance'?: "instance";
}
