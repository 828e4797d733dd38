/** What a request is refused with, in Stripe's terms: https://docs.stripe.com/api/errors */
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

  /** The body of the answer. */
  get body(): object {
    const { type, code, message, param } = this;
    return { error: { ...(code !== undefined && { code }), message, ...(param !== undefined && { param }), type } };
  }
}

/** 400, naming the parameter. */
export const invalid = (message: string, param?: string, code?: string): ApiError =>
  new ApiError(400, message, { param, ...(code !== undefined && { code }) });

/** 404 when it is named by the path, else 400: there is nothing under this id. */
export const missing = (what: string, id: string, param = 'id'): ApiError =>
  new ApiError(param === 'id' ? 404 : 400, `No such ${what}: '${id}'`, { code: 'resource_missing', param });
