import type { MethodDefinition } from '@grpc/proto-loader';

/** The method names of a service definition. */
export type Methods<D> = keyof { [M in keyof D as string extends M ? never : M]: D[M] } & string;
/** The request as a client passes it to a method: fields may be omitted. */
export type RequestIn<D, M extends keyof D> = D[M] extends { requestSerialize: (value: infer I) => Buffer } ? I : never;
/** The request as the handler of a method receives it: omitted fields have their default values. */
export type RequestOut<D, M extends keyof D> = D[M] extends MethodDefinition<any, any, infer I, any> ? I : never; // eslint-disable-line @typescript-eslint/no-explicit-any
/** The response as the handler of a method returns it: fields may be omitted. */
export type ResponseIn<D, M extends keyof D> = D[M] extends MethodDefinition<any, infer O, any, any> ? O : never; // eslint-disable-line @typescript-eslint/no-explicit-any
/** The response as the client receives it: omitted fields have their default values. */
export type ResponseOut<D, M extends keyof D> = D[M] extends MethodDefinition<any, any, any, infer O> ? O : never; // eslint-disable-line @typescript-eslint/no-explicit-any
