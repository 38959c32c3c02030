/**
 * Every refusal with a code, in the order of the documents' Errors tables: status and text. The code is
 * part of the API, the text is not, except where the documents quote it.
 */
export const ERRORS = {
  // client API
  MISSING_SDK_KEY: [401, 'Missing API key'],
  INVALID_SDK_KEY: [401, 'Invalid API key'],
  TENANT_KEY_MISMATCH: [401, 'X-Tenant-Id names another workspace than the key'],
  DEVICE_REQUIRED: [400, 'A user is named, so the device must be too: send X-CF-Device'],
  CHANNELS_REQUIRED: [400, 'Send the flags inside channels, such as {"channels":{"push":true}}'],
  INVALID_PUSH_PLATFORM: [400, 'platform must be ios, android or web'],
  INVALID_PUSH_PROVIDER: [400, 'provider must be apns, fcm, hms or web_push'],
  ENDPOINT_MISMATCH: [400, 'This event type is not taken by this route'],
  MAX_BATCH_SIZE: [400, 'The batch is larger than this route takes'],
  DEVICE_NOT_IDENTIFIED: [403, 'This device is not identified as that user; identify it first'],
  USER_MISMATCH: [403, 'This device is signed in as another user'],
  USER_ID_DEVICE_MISMATCH: [403, 'This device is signed in as another user'],
  SDK_KEY_IN_QUERY: [403, 'Send the key in the X-CF-Key header; only /stream takes it in the query'],
  SANDBOX_LIVE_KEY_FORBIDDEN: [403, 'A sandbox has test keys only'],
  DEVICE_ENVIRONMENT_MISMATCH: [409, 'This device belongs to the other environment of the workspace'],
  DEVICE_STATE_CHANGED: [409, 'Who this device is changed while the request ran; send it again'],
  ERASURE_PENDING: [409, 'An erasure of this person is not finished; try again in a minute'],
  SUBJECT_ERASED: [409, 'This person was erased; only a new identify with consent starts a new profile'],
  SANDBOX_REQUIRED: [409, 'The test environment is retired: link a sandbox to write with a test key'],
  TEST_ENV_RETIRED: [409, 'The test environment of this workspace is retired'],
  LOCATION_CONSENT_REQUIRED: [202, 'The person has not agreed to analytics, so no location is stored'],
  PUSH_LINKAGE_INCOMPLETE: [207, 'The push token could not be linked; repeat the call to finish'],
  SDK_RATE_LIMIT_EXCEEDED: [429, 'Too many requests for this workspace'],
  USER_RATE_LIMITED: [429, 'This user has reached the limit of this call'],
  IP_RATE_LIMITED: [429, 'Too many requests from this address'],
  UPSTREAM_UNAVAILABLE: [503, 'Temporarily unavailable, please try again'],
  SANDBOX_ROUTE_UNAVAILABLE: [503, 'The route of test traffic cannot be confirmed just now'],
  // management API
  STRINGS_SYNC_FAILED: [400, 'The rows cannot be read'],
  STRINGS_DISABLE_FAILED: [200, 'The sensors could not be turned off just now; send the keys again'],
  VALIDATION_ERROR: [400, 'The body is not valid'],
  UNKNOWN_STRING: [404, 'There is no string with this key'],
  IMPORT_ALREADY_PENDING: [409, 'An import is pending; apply it or cancel it first'],
  PLACEHOLDER_MISMATCH: [409, 'The placeholders of the translation are not those of the source text'],
  SELF_APPROVAL_NOT_ALLOWED: [403, 'Somebody else with approval rights must approve what you asked for'],
  UPGRADE_REQUIRED: [200, 'The plan of this workspace has no room for that many customers; nothing was stored'],
  ROLE_REQUIRED: [403, 'Your role does not allow this'],
  LIVE_PUBLISHABLE_KEY_REQUIRED: [409, 'Create a live publishable key before switching derived keys off'],
  LOGIN_RATE_LIMITED: [429, 'Too many failed sign-ins; wait a few minutes'],
  SIGNUP_RATE_LIMITED: [429, 'Too many accounts asked for from this address or for this email; wait a few minutes'],
  INVITATION_OVER: [404, 'This invitation was taken, withdrawn or is too old; ask for a new one'],
  SIGN_IN_BUSY: [503, 'Too many are signing in just now, please try again'],
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
