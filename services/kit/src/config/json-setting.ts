import { z } from 'zod';

/** Parses JSON and checks it with a schema. Reports problems to `context`, with messages that name the fields. */
export function parseJson<S extends z.ZodType>(schema: S, text: string, context: z.RefinementCtx): z.infer<S> {
  const fail = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('must be valid JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  return fail(result.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`).join('; '));
}

/** A setting whose value is JSON that matches a schema. */
export const jsonSetting = <S extends z.ZodType>(schema: S) =>
  z.string().transform((text, context): z.infer<S> => parseJson(schema, text, context));
