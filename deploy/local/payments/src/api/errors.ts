/** An API error: https://docs.stripe.com/api/errors */
export class ApiError extends Error {
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(
    readonly status: number,
    message: string,
    { type = 'invalid_request_error', code, param }: { type?: string; code?: string; param?: string | undefined } = {},
  ) {
    super(message);
    this.type = type;
    this.code = code;
    this.param = param;
  }

  /** Response body. */
  get body(): object {
    const { type, code, message, param } = this;
    return { error: { ...(code !== undefined && { code }), message, ...(param !== undefined && { param }), type } };
  }
}

/** Returns a 400 error for a parameter. */
export const invalid = (message: string, param?: string, code?: string): ApiError =>
  new ApiError(400, message, { param, ...(code !== undefined && { code }) });

/** Returns the error for an unknown id: 404 if it is in the path, otherwise 400. */
export const missing = (what: string, id: string, param = 'id'): ApiError =>
  new ApiError(param === 'id' ? 404 : 400, `No such ${what}: '${id}'`, { code: 'resource_missing', param });
