import type { MethodDefinition } from '@grpc/proto-loader';
import type { ServiceDefinition } from '@grpc/grpc-js';

/** The method names of a service definition. */
export type Methods<D> = keyof { [M in keyof D as string extends M ? never : M]: D[M] } & string;
export type RequestIn<D, M extends keyof D> = D[M] extends { requestSerialize: (value: infer I) => Buffer } ? I : never;
export type RequestOut<D, M extends keyof D> = D[M] extends MethodDefinition<any, any, infer I, any> ? I : never; // eslint-disable-line @typescript-eslint/no-explicit-any
export type ResponseIn<D, M extends keyof D> = D[M] extends MethodDefinition<any, infer O, any, any> ? O : never; // eslint-disable-line @typescript-eslint/no-explicit-any
export type ResponseOut<D, M extends keyof D> = D[M] extends MethodDefinition<any, any, any, infer O> ? O : never; // eslint-disable-line @typescript-eslint/no-explicit-any
export type AnyDefinition = ServiceDefinition;
