import { LIMITS } from '@contentflow/core/limits.ts'

type Errors = Record<string, readonly [status: number, text: string]>

/** Refusals of the client API, in the order of its document's Errors table. */
const CLIENT_ERRORS = {
  MISSING_SDK_KEY: [401, 'Missing API key'],
  INVALID_SDK_KEY: [401, 'Invalid API key'],
  TENANT_KEY_MISMATCH: [401, 'X-Tenant-Id and the key belong to different workspaces'],
  DEVICE_REQUIRED: [400, 'userId needs a device: send X-CF-Device'],
  CHANNELS_REQUIRED: [400, 'Send the flags inside channels, such as {"channels":{"push":true}}'],
  INVALID_PUSH_PLATFORM: [400, 'platform must be ios, android or web'],
  INVALID_PUSH_PROVIDER: [400, 'provider must be apns, fcm, hms or web_push'],
  PLACEHOLDER_USER_ID: [400, 'userId is the text of a missing value, such as undefined: send the id of the person, or none'],
  ENDPOINT_MISMATCH: [400, "This route doesn't accept this event type"],
  MAX_BATCH_SIZE: [400, 'The batch is larger than this route takes'],
  DEVICE_NOT_IDENTIFIED: [403, 'This device is not identified as that user; identify it first'],
  USER_MISMATCH: [403, 'This device is signed in as another user'],
  USER_ID_DEVICE_MISMATCH: [403, 'This device is signed in as another user'],
  SDK_KEY_IN_QUERY: [403, 'Send the key in the X-CF-Key header; only /stream takes it in the query'],
  SANDBOX_LIVE_KEY_FORBIDDEN: [403, 'A sandbox has test keys only'],
  USER_TOKEN_REQUIRED: [403, 'Send a user token that your own server signed for this user in X-CF-User-Token'],
  USER_TOKEN_INVALID: [403, 'The user token is not right for this call; reason says why'],
  DEVICE_PROOF_REQUIRED: [403, "Send this installation's token in X-CF-Device-Token; one that lost it begins as a new installation"],
  DEVICE_ENVIRONMENT_MISMATCH: [409, 'This device belongs to the other environment of the workspace'],
  DEVICE_STATE_CHANGED: [409, "The device's user changed during the request; send it again"],
  ERASURE_PENDING: [409, 'An erasure of this person is not finished; try again in a minute'],
  SUBJECT_ERASED: [409, 'This person was erased; only a new identify with consent starts a new profile'],
  SANDBOX_REQUIRED: [409, 'The test environment is retired: link a sandbox to write with a test key'],
  TEST_ENV_RETIRED: [409, 'The test environment of this workspace is retired'],
  LOCATION_CONSENT_REQUIRED: [202, 'The person has not agreed to analytics, so no location is stored'],
  PUSH_LINKAGE_INCOMPLETE: [207, 'The push token could not be linked; repeat the call to finish'],
  SDK_RATE_LIMIT_EXCEEDED: [429, 'Too many requests for this workspace'],
  USER_RATE_LIMITED: [429, 'This user has reached the limit of this call'],
  ERASURE_RATE_LIMITED: [429, 'Too many erasures were asked for from this address or with this key; try again later'],
  IP_RATE_LIMITED: [429, 'Too many requests from this address'],
  UPSTREAM_UNAVAILABLE: [503, 'Temporarily unavailable, please try again'],
  SANDBOX_ROUTE_UNAVAILABLE: [503, "Test traffic can't be routed right now; try again"],
} as const satisfies Errors

/** Refusals of the management API: those of its document, then those of our own routes. */
const MANAGEMENT_ERRORS = {
  STRINGS_SYNC_FAILED: [400, 'The rows cannot be read'],
  STRINGS_DISABLE_FAILED: [200, 'The sensors could not be turned off just now; send the keys again'],
  LINK_SCHEME_NOT_ALLOWED: [400, 'A link has a scheme that this workspace does not take; an admin names the schemes of its apps'],
  VALIDATION_ERROR: [400, 'The body is not valid'],
  UNKNOWN_STRING: [404, 'There is no string with this key'],
  IMPORT_ALREADY_PENDING: [409, 'An import is pending; apply it or cancel it first'],
  PLACEHOLDER_MISMATCH: [409, 'The placeholders of the translation are not those of the source text'],
  SUBJECT_REQUEST_OVER: [409, 'This request is done or refused; record another one'],
  EXTENSION_NOT_ALLOWED: [
    409,
    'The time of this request cannot be extended: its law knows no extension, it was extended before, or its last day is over',
  ],
  SELF_APPROVAL_NOT_ALLOWED: [403, "You can't approve your own request; another approver must"],
  ADDRESS_NOT_PROVED: [403, 'Submitting and approving take a member whose email address is proven: join by an invitation link'],
  INVITER_APPROVAL_NOT_ALLOWED: [
    403,
    'One of you invited the other less than a day before this was submitted; another approver must approve it',
  ],
  UPGRADE_REQUIRED: [200, "This workspace's plan doesn't cover that many people; nothing was stored"],
  ROLE_REQUIRED: [403, 'Your role does not allow this'],
  GRANT_TOO_WIDE: [403, 'Nobody gives what they do not hold themselves: this has rights that you lack'],
  TOKEN_NOT_ALLOWED_HERE: [403, 'This token may not be used from this network'],
  ROLE_IN_USE: [409, 'Members or service accounts have this role; give them another one first'],
  ROLE_LIMIT: [409, `A workspace has at most ${LIMITS.rolesPerWorkspace} roles of its own`],
  SERVICE_ACCOUNT_LIMIT: [409, `A workspace has at most ${LIMITS.serviceAccountsPerWorkspace} service accounts`],
  TOKEN_LIMIT: [409, `A service account has at most ${LIMITS.tokensPerServiceAccount} tokens; take one back first`],
  NAME_TAKEN: [409, 'Another one has this name'],
  WORKSPACE_SUSPENDED: [403, 'This workspace is suspended: it can be read, and people can be erased; ask whoever runs this server'],
  LIVE_PUBLISHABLE_KEY_REQUIRED: [409, 'Create a live publishable key before switching derived keys off'],
  IDENTITY_KEY_REQUIRED: [409, 'User tokens cannot be required without a key that they are signed with: add one first'],
  IDENTITY_KEY_LIMIT: [409, `An environment has at most ${LIMITS.identityKeysActive} keys of user tokens; delete one first`],
  IDENTITY_CHECK_NEEDED: [
    409,
    'This would have refused calls of the last 24 hours: send their number, wouldRefuse, to require it all the same',
  ],
  CHANNEL_TEST_RATE_LIMITED: [429, 'You sent many test messages; wait a few minutes'],
  CHECK_RATE_LIMITED: [429, 'You asked for many checks; wait a few minutes'],
  LOGIN_RATE_LIMITED: [429, 'Too many failed sign-ins; wait a few minutes'],
  SIGNUP_RATE_LIMITED: [429, 'Too many accounts asked for from this address or for this email; wait a few minutes'],
  SECOND_FACTOR_REQUIRED: [403, 'This takes a second factor: sign in with a passkey, or with a code of your authenticator app as otp'],
  SECOND_FACTOR_OFF: [409, 'This account has no second factor: add a passkey or an authenticator app first'],
  OTP_WRONG: [401, 'This code is wrong, over or was used before: send the next one of your authenticator app, or a recovery code'],
  SIGN_IN_OVER: [401, 'This sign-in was answered before or is older than 5 minutes; begin again'],
  AUTHENTICATOR_NOT_BEGUN: [409, 'There is no new authenticator app to confirm: ask for its secret by POST /auth/totp'],
  PASSKEY_REFUSED: [401, 'This passkey is not known here, or its answer is not right; try again, or sign in another way'],
  PASSKEY_KNOWN: [409, 'This passkey is in use already'],
  PASSKEY_LIMIT: [409, `An account has at most ${LIMITS.passkeysPerAccount} passkeys; remove one first`],
  PASSKEYS_OFF: [409, 'There are no passkeys here: whoever runs this server sets CF_PUBLIC_URL to an https address with a name'],
  REAUTHENTICATE: [403, 'You signed in more than 10 minutes ago: sign in again, and then send this again'],
  INVITATION_OVER: [404, 'This invitation was used, withdrawn or has expired; ask for a new one'],
  SIGN_IN_PENDING: [400, 'This sign-in waits until its person answers in the browser; ask again in 5 seconds'],
  SIGN_IN_REFUSED: [403, 'The sign-in was refused in the browser'],
  DEVICE_CODE_UNKNOWN: [404, 'No sign-in waits under this code; compare it with what the program shows'],
  SIGN_IN_BUSY: [503, 'Too many are signing in right now; try again'],
  PASSWORD_WRONG: [400, 'The current password is wrong'],
  PASSWORD_CHANGED: [409, 'The password was changed meanwhile'],
  PASSWORD_WEAK: [400, 'Others guess this password: choose one that is not among the most used, not your email and not blank'],
  PASSWORD_CHANGE_REQUIRED: [403, 'Somebody else knows this password, or it is easily guessed: send another one as next'],
  LINK_OVER: [404, 'This link was used or is older than 30 minutes; ask for a new one'],
  LINKS_RATE_LIMITED: [429, 'Too many links were asked for; wait a few minutes'],
  ACCOUNT_SHARED: [409, 'This account is not of this workspace alone: only its person or the operator may do this'],
  MAIL_OFF: [409, 'This installation sends no mail: the operator sets CF_SMTP_URL'],
  SESSION_OF_WORKSPACE: [
    403,
    'You signed in with a provider of one workspace: this takes a sign-in with your password, passkey or another provider',
  ],
  SSO_REQUIRED: [403, 'This workspace is opened by a sign-in with its provider: signInUrl leads there'],
  SSO_NOT_USED: [409, 'Sign in with a provider of this workspace first, and send this within 10 minutes: else it could lock everybody out'],
  PROVIDER_LIMIT: [409, `There are at most ${LIMITS.identityProviders} providers here; delete one first`],
  MEMBER_MANAGED: [409, 'A directory says what this member is: change it there'],
  LINK_NOT_WAITING: [404, 'No identity of a provider waits in this browser; sign in with the provider again'],
  SIGN_IN_AGAIN: [403, 'This takes a sign-in with password or passkey within the last 10 minutes: sign in again'],
  IDENTITY_TAKEN: [409, 'This identity of the provider belongs to another account'],
  LAST_ADMIN: [409, 'A workspace would be left without an admin'],
  SETUP_TOKEN_REQUIRED: [403, 'The first account takes the set-up token that the server printed when it started: send it as setupToken'],
  WORKSPACES_BY_OPERATOR: [403, 'In this installation only the operator opens workspaces'],
  WORKSPACE_LIMIT: [409, 'One account opens no more workspaces than this'],
  WORKSPACES_RATE_LIMITED: [429, 'You opened many workspaces; wait a few minutes'],
  TIME_ZONE_UNKNOWN: [400, 'timeZone must be a name of the zone database, such as Asia/Riyadh'],
  SANDBOX_NESTED: [409, 'A sandbox has no sandbox of its own'],
  VERSION_CHANGED: [412, 'This was changed meanwhile; read it again first'],
  REVIEW_REQUIRED: [409, 'Only a review leads there: submit the campaign, and somebody else approves it'],
  INVALID_STATUS_TRANSITION: [409, 'A campaign does not become this from what it is now'],
  CAMPAIGN_SUBMIT_REVIEW_FAILED: [409, 'Only a draft or a rejected campaign is submitted for review'],
  CAMPAIGN_APPROVE_FAILED: [409, 'Only what was submitted for review is approved'],
  CAMPAIGN_REJECT_FAILED: [409, 'Only what was submitted for review is rejected'],
  CAMPAIGN_RECALL_FAILED: [409, 'Only what was submitted for review is recalled'],
  CAMPAIGN_NOT_EDITABLE: [409, 'What is under review or over is not changed: recall it, or take it back to draft, first'],
  CAMPAIGN_NOT_DRAFT: [409, 'Only drafts are deleted: complete it, or take it back to draft, first'],
  CAMPAIGN_NOT_ACTIVE: [409, 'Messages leave only while a campaign is active: resume it first'],
  CAMPAIGN_LIMIT: [409, `A workspace has at most ${LIMITS.campaignsPerWorkspace} campaigns`],
  JOURNEY_ACTIVE: [409, 'An active journey is not changed or deleted: pause it first'],
  JOURNEY_INCOMPLETE: [409, 'The journey is incomplete: add what is missing first'],
  JOURNEY_NOT_ACTIVE: [409, 'The journey is not active: activate it first'],
  JOURNEY_LIMIT: [409, `A workspace has at most ${LIMITS.journeysPerWorkspace} journeys`],
  LAUNCH_ADMIN_REQUIRED: [403, 'In this workspace only admins let campaigns go live'],
  LAUNCH_OTP_REQUIRED: [403, 'Going live takes the one-time code: ask for it by POST /campaigns/{id}/launch-otp and send it as otp'],
  LAUNCH_OTP_RATE_LIMITED: [429, 'You asked for many codes; wait a few minutes'],
  WEB_ADDRESS_NEEDED: [
    409,
    'A link or a picture is a path such as /offers, which leads nowhere in emails, texts and WhatsApp messages: an admin sets the web address of the workspace (PUT /settings/web-address), or write whole links',
  ],
  PUSH_TOO_LARGE: [409, 'Nobody would get this push message: no provider takes more than 4,096 bytes. Shorten its texts'],
  MAIL_NOT_READY: [409, 'The mail of sections cannot go out as it is; checks says what is wrong where (level stop)'],
  PUBLIC_URL_NEEDED: [409, 'Mail of campaigns and journeys could not be left: whoever runs this server sets CF_PUBLIC_URL first'],
  LAUNCH_OTP_UNAVAILABLE: [409, 'The code is sent by email: connect an email channel first'],
  REVIEW_OVER: [409, 'This request was decided or withdrawn meanwhile'],
  APPROVAL_NEEDED: [409, 'What live apps get takes a second person here: somebody with approval rights must do this'],
  NO_ROOM_FOR_ORDER: [409, 'There is no room for these instances in this order'],
  TRACKERS_EXCEEDED: [
    409,
    `Rules on events may ask for ${LIMITS.eventTrackers} kinds of events, ${LIMITS.eventTrackersOfType} of one type: let rules share their conditions, or delete segments that nothing uses`,
  ],
  ANALYSIS_BUSY: [429, 'Other questions are being answered; ask again in a moment'],
  ANALYSIS_TOO_LARGE: [422, 'The question is about too many events; ask for a shorter period or fewer types'],
  REPORT_LIMIT: [409, `A workspace has at most ${LIMITS.reports} reports`],
  REPORT_NAME_TAKEN: [409, 'Another report has this name'],
  REPORT_PINS: [409, `At most ${LIMITS.pinnedReports} reports are on the start page; take one off first`],
  MAIL_LIMIT: [409, `A workspace keeps at most ${LIMITS.mailsPerWorkspace} mails and parts`],
  MAIL_NAME_TAKEN: [409, 'Another mail of this kind has this name'],
  MAIL_ARCHIVED: [409, 'This mail is archived: restore it first'],
  EXPERIMENT_CONTENT_CHANGED: [
    409,
    'The item or campaign has other variants or weights by now than those that were compared. Decide without apply, or edit it',
  ],
  EXPERIMENT_STARTED: [
    409,
    'Devices were counted already, so its metric, guardrails and plan stay; send restart=true to begin a new run with nothing counted',
  ],
  EVENT_TYPE_LIMIT: [409, `A workspace declares at most ${LIMITS.eventTypes} event types`],
  SEGMENT_LIMIT: [409, `A workspace can have at most ${LIMITS.segmentsPerWorkspace} segments`],
  SEGMENT_CIRCLE: [400, 'excludedSegments: segments cannot exclude each other in a circle'],
  TOPIC_EXISTS: [409, 'A topic with this id exists'],
  TOPIC_LIMIT: [409, `A workspace has at most ${LIMITS.messageTopics} topics, and ${LIMITS.archivedTopics} that are archived`],
  GEOFENCE_LIMIT: [409, `A workspace can have at most ${LIMITS.geofencesPerWorkspace} geofences`],
  WEBHOOK_LIMIT: [409, `A workspace has at most ${LIMITS.webhooksPerWorkspace} webhooks`],
  WEBHOOK_IN_USE: [409, 'Journeys tell this webhook; take the step out of them first'],
  WEBHOOK_OFF: [409, 'This webhook is off; switch it on first'],
  KEYS_IN_USE: [
    409,
    'Browsers subscribed with the keys of this channel and would be lost; send replaceKeys=true to take others all the same',
  ],
  CHANNEL_LIMIT: [409, `A workspace has at most ${LIMITS.channelsPerWorkspace} channels`],
  LOCALE_LIMIT: [409, `A workspace has at most ${LIMITS.localesPerWorkspace} locales`],
  SOURCE_LANGUAGE: [409, 'This is the source language; change the sourceText of the string'],
  STRING_EXISTS: [409, 'A string with this key exists'],
  STRING_LIMIT: [409, `A workspace has at most ${LIMITS.stringsPerWorkspace} strings`],
  SENSOR_NOT_ASKED: [409, 'No tracking request for this string'],
  WORKSPACE_FULL: [
    409,
    'With this the workspace would hold more content, texts, campaigns and journeys than it may. Delete what is not needed, or ask whoever runs the server for more; GET /settings/usage says how much it holds',
  ],
  LIBRARY_FULL: [
    409,
    'With this file the content library would hold more than it may. Delete files that are not needed, or ask whoever runs the server for more; GET /settings/usage says how much it holds',
  ],
  ANSWER_TOO_LONG: [
    409,
    'With this every app would be refused its content: what all of them get has more than 16,000,000 characters, with what collections repeat. Shorten it, or take instances out of collections or off the air first',
  ],
  WORKSPACE_CHANGED: [409, 'The workspace was changed since this plan was made; make another one and look at it'],
  IN_USE: [409, 'Reports use this property; change or delete them first'],
  FILE_IN_USE: [409, 'Instances or campaigns use this file; send force=true to delete it anyway'],
  ERASURE_REQUEST_OVER: [409, 'This request for an erasure was decided or has expired'],
  KEY_NOT_ALLOWED_HERE: [403, 'This key is not for pages of this origin; an admin or editor names those it is for'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This Idempotency-Key was sent with another request; send a new one'],
  IDEMPOTENCY_KEY_IN_USE: [409, 'The request with this Idempotency-Key is still running; send it again in a moment'],
  IDEMPOTENCY_OUTCOME_UNKNOWN: [
    409,
    'Whether the request with this Idempotency-Key took effect is not known; look first, then send it with a new one',
  ],
  IDEMPOTENCY_KEY_LIMIT: [429, `A workspace has at most ${LIMITS.idempotencyKeys} idempotency keys at a time, each for 24 hours`],
  IMPORT_OVER: [409, 'The import is over; send the file again'],
} as const satisfies Errors

/**
 * Every refusal with a code. The code is part of the API, the text is not, except where the documents quote it. Refusals
 * that a document or a decision names without a code have none; `failWith` makes them.
 */
export const ERRORS = { ...CLIENT_ERRORS, ...MANAGEMENT_ERRORS }
export type ClientErrorCode = keyof typeof CLIENT_ERRORS
/** The codes that applications may meet. */
export const CLIENT_ERROR_CODES = Object.keys(CLIENT_ERRORS) as ClientErrorCode[]
export type ErrorCode = keyof typeof ERRORS
export type ManagementErrorCode = keyof typeof MANAGEMENT_ERRORS

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

/** A refusal whose answer says more than the documents ask for, in members of its own. */
export class DetailedError extends ApiError {
  readonly details: object
  constructor(status: number, message: string, details: object, code?: ErrorCode) {
    super(status, message, code)
    this.details = details
  }
}

type RefusalDetails = { status?: number; message?: string; retryAfter?: number; limit?: number }

/** The refusal `code`; `message` replaces the standard text where it can say more. */
export function refusalOf(code: ErrorCode, said: RefusalDetails = {}): ApiError {
  const [status, text] = ERRORS[code]
  return new ApiError(said.status ?? status, said.message ?? text, code, said.retryAfter, said.limit)
}

/** The same with members of its own. */
export function refusalWith(code: ErrorCode, details: object): ApiError {
  const [status, text] = ERRORS[code]
  return new DetailedError(status, text, details, code)
}

export function fail(code: ErrorCode, said?: RefusalDetails): never {
  throw refusalOf(code, said)
}

/** Throws one of the refusals that carry no code. */
export function failWith(status: number, message: string): never {
  throw new ApiError(status, message)
}
