/**
 * Every refusal with a code, in the order of the documents' Errors tables: status and text. The code is
 * part of the API, the text is not, except where the documents quote it.
 */
export const ERRORS = {
  // client API
  MISSING_SDK_KEY: [401, 'Missing API key'],
  INVALID_SDK_KEY: [401, 'Invalid API key'],
  TENANT_KEY_MISMATCH: [401, 'X-Tenant-Id names another workspace than the key'],
  SDK_KEY_IN_QUERY: [403, 'Send the key in the X-CF-Key header; only /stream takes it in the query'],
  SANDBOX_LIVE_KEY_FORBIDDEN: [403, 'A sandbox has test keys only'],
  SANDBOX_REQUIRED: [409, 'The test environment is retired: link a sandbox to write with a test key'],
  TEST_ENV_RETIRED: [409, 'The test environment of this workspace is retired'],
  SDK_RATE_LIMIT_EXCEEDED: [429, 'Too many requests for this workspace'],
  IP_RATE_LIMITED: [429, 'Too many requests from this address'],
  UPSTREAM_UNAVAILABLE: [503, 'Temporarily unavailable, please try again'],
  SANDBOX_ROUTE_UNAVAILABLE: [503, 'The route of test traffic cannot be confirmed just now'],
  // management API
  ROLE_REQUIRED: [403, 'Your role does not allow this'],
  LIVE_PUBLISHABLE_KEY_REQUIRED: [409, 'Create a live publishable key before switching derived keys off'],
  LOGIN_RATE_LIMITED: [429, 'Too many failed sign-ins for this email; wait a few minutes'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof ERRORS

/** A refusal the client can act on. Statuses below 400 are answers, not errors. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | undefined
  /** Whole seconds for `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Requests per minute, of a rate refusal. */
  readonly limit: number | undefined
  constructor(status: number, message: string, code?: ErrorCode, retryAfter?: number, limit?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.limit = limit
  }
}

/** Throws the documented refusal `code`; `message` replaces the standard text where it can say more. */
export function fail(code: ErrorCode, options: { status?: number; message?: string; retryAfter?: number; limit?: number } = {}): never {
  const [status, text] = ERRORS[code]
  throw new ApiError(options.status ?? status, options.message ?? text, code, options.retryAfter, options.limit)
}

/** Throws one of the refusals that carry no code. */
export function failWith(status: number, message: string): never {
  throw new ApiError(status, message)
}
