import { describe, expect, test } from '@jest/globals';
import type { MethodDefinition } from '@grpc/proto-loader';
import { operatorServices, rpcServices } from './rpc.js';

type Method = MethodDefinition<object, object>;

const methods = [...Object.values(rpcServices), ...Object.values(operatorServices)].flatMap((definition) =>
  Object.values(definition as unknown as Record<string, Method>),
);

const nameOf = ({ path }: { path: string }): string => path.slice(path.lastIndexOf('/') + 1);
const marked = (level: string): string[] =>
  methods.filter(({ options }) => `${options.idempotency_level}` === level).map(nameOf);
const startsWithGetOrList = (name: string): boolean => /^(Get|List)[A-Z]/.test(name);

/**
 * Reads whose names do not start with Get or List. A method that emits an event, such as ExportLinks, is not a read.
 */
const OTHER_READS = ['FindTags', 'PreviewQrCode', 'RenderByToken', 'RenderQrCode', 'VerifyAuditLog'];

describe('clients retry', () => {
  test('every method whose name starts with Get or List', () => {
    const reads = methods.map(nameOf).filter(startsWithGetOrList);
    expect(reads.length).toBeGreaterThan(30);
    expect(marked('NO_SIDE_EFFECTS').filter(startsWithGetOrList)).toEqual(reads);
  });

  test('a method whose name does not start with Get or List only if it is a read or a credential check', () => {
    const others = marked('NO_SIDE_EFFECTS').filter((name) => !startsWithGetOrList(name));
    expect(others.sort()).toEqual(OTHER_READS);
    expect(marked('IDEMPOTENT').sort()).toEqual(['AuthenticateUser', 'VerifyApiKey']);
  });
});
