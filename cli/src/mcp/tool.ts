import type { z } from 'zod';
import type { Api } from '../api/client.js';

/** The result of a tool: a value that is sent as JSON, or an image. */
export type ToolResult = object | { image: Buffer; mimeType: string };

/** One tool of the server: a row of the tables in read-tools.ts and write-tools.ts. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodRawShape;
  run: (api: Api, input: Record<string, unknown>) => Promise<ToolResult>;
}

/** Declares a tool. The type of the input of `run` is inferred from the schema `input`. */
export const tool = <Shape extends z.ZodRawShape>(definition: {
  name: string;
  title: string;
  description: string;
  input: Shape;
  run: (api: Api, input: z.output<z.ZodObject<Shape>>) => Promise<ToolResult>;
}): Tool => definition as unknown as Tool;

/** Removes undefined fields. */
export const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
