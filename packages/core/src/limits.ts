/**
 * Every number of the documents' Limits tables that the code needs, once.
 * Sizes are bytes, durations carry their unit in the name.
 */
export const LIMITS = {
  /** C-LIMIT-01, G-14: requests a workspace may make in one window, and the allowance on top. */
  workspaceRequestsPerMinute: 1000,
  workspaceBurst: 100,
  /** C-LIMIT-06, G-14: the same per caller address; only counted unless enforcement is switched on. */
  addressRequestsPerMinute: 300,
  addressBurst: 100,
  rateWindowSeconds: 60,

  /** G-13: largest request bodies. */
  clientBodyBytes: 1_000_000,
  managementBodyBytes: 10_000_000,
  /** Not documented: the body of a route that no documented limit gives a larger one. */
  smallBodyBytes: 16_384,
  /** Deepest nesting of a JSON body. The deepest documented shape (six levels of rules) needs under 20. */
  jsonDepth: 64,
  /** Not documented: members of one object of a JSON body, and values of all of it. The largest documented shape is 2,000 rows of 500 cells. */
  jsonMembers: 100_000,
  jsonValues: 1_100_000,
  /** Not documented: digits that numbers with exponents of one body have together when they are written out, as PostgreSQL does. */
  jsonWrittenOut: 100_000,

  /** M-REG-10 to M-REG-15. */
  blockKeyLength: 100,
  blockNameLength: 150,
  screenLength: 150,
  crumbLength: 150,
  /** Not documented: bounds that keep one definition or instance readable by a person. */
  fieldsPerDefinition: 200,
  fieldTextLength: 150,
  definitionsPerManifest: 2000,
  /** Not documented. Instances of a workspace as one document. */
  codeInstances: 10_000,
  /** Not documented: what a workspace may hold of what a process holds whole, unless its plan says otherwise; 1,000,000 bytes each. */
  workspaceMegabytes: 100,
  libraryMegabytes: 5_000,
  instanceTitleLength: 200,
  externalIdLength: 200,
  valueBytes: 262_144,
  linkSchemes: 20,
  linkSchemeLength: 40,
  variantsPerInstance: 20,
  referencesPerCollection: 200,

  /** G-37: children are inlined this deep; a whole top-level block never holds more than `inlinedBlocks`. */
  collectionDepth: 5,
  inlinedBlocks: 1000,
  /** Not documented: characters of the blocks, texts or campaigns that one answer brings an app. Nobody waits for the making of more. */
  answerLength: 16_000_000,

  /** C-DEV, G-16. */
  deviceIdLength: 128,
  deviceRecordHours: 24,
  /** G-16. */
  userIdLength: 256,
  /** Not documented: keys of user tokens that work at a time in one environment, and with those that have expired. */
  identityKeysActive: 5,
  identityKeysKept: 20,
  /** Not documented: wrong user tokens of one address. A right one is never refused for them. */
  wrongUserTokens: { tokens: 50, seconds: 300 },
  /** Not documented: versions of SDKs that one environment counts apart in an hour; batches of counts that wait for the database. */
  identityClientsCounted: 20,
  identityCountsWaiting: 1_000,
  identityReportDays: 8,
  identityReportRows: 1_000,
  /** Not documented: an installation that is not used for so long loses its token. */
  deviceBindingDays: 400,
  /** C-DEV-18, C-DEV-20; a key has its own pattern. */
  traits: 50,
  traitBytes: 4096,
  /** G-20. */
  industryBytes: 65_536,
  /** Not documented: a name or email longer than this is no name or email. */
  contactTextLength: 320,
  /** M-BULK-02, G-45. */
  bulkPeople: 5_000,
  /** C-LIMIT-10, C-LIMIT-09. */
  consentChangesPerHour: 10,
  newPushDevicesPerDay: 3,
  /** Not documented: what one person changes on the page of preferences; leaving is not counted. */
  preferenceChangesPerHour: 20,
  /** C-LIMIT-14: installs of one person a push send goes to. */
  pushInstalls: 10,
  /** C-LIMIT-13: points, and reported crossings, of one request. */
  locationPoints: 100,
  /** M-DISP-11: people a message of one source goes to over one channel. */
  recipientsPerDispatch: 25_000,
  /** G-70: messages of campaigns and journeys that one person gets in 24 hours. */
  marketingSendsPerDay: 5,
  /** M-DISP-09. */
  sendTries: 3,
  /** M-DISP-03. */
  missedAfterHours: 24,
  /** G-67. */
  geofenceRadiusMeters: { min: 50, max: 50_000 },
  geofenceNameLength: 100,
  /** Not documented. Tokens of every provider are shorter; a web subscription as text has under 1,000 characters. */
  pushTokenLength: 4096,
  hmsAppIdLength: 200,
  topicsPerDevice: 100,
  geofencesPerWorkspace: 2000,
  /** Not documented: topics that people decide about, those that are archived counted apart. */
  messageTopics: 20,
  archivedTopics: 200,
  topicIdLength: 40,
  topicNameLength: 100,
  topicDescriptionLength: 300,
  topicPosition: { min: 0, max: 1_000 },
  /** Newest points, and newest crossings, kept of one person. */
  locationsKept: 1000,
  /** C-EVT-08, G-21 (string keys); the name length holds for every other name an event carries too. */
  eventsPerBatch: 100,
  eventNameLength: 200,
  eventIdLength: 64,
  /** G-96: properties of an event, bytes of one value, and of all of them as JSON. */
  eventProperties: 32,
  eventPropertyNameLength: 64,
  eventPropertyBytes: 4096,
  eventPropertiesBytes: 16_384,
  /** Not documented: saved questions about events, and those on the start page. */
  reports: 500,
  pinnedReports: 8,
  reportNameLength: 120,
  /** Not documented: the catalogue of events. Types of a workspace and properties of one; the rest is counted, not listed. */
  eventTypes: 1_000,
  /** Kinds of events that rules of a workspace may ask for, in all and of one type. */
  eventTrackers: 300,
  eventTrackersOfType: 50,
  /** Longest window of a rule on events, and the largest count that it names. */
  eventWindowDays: 90,
  eventCount: 100,
  eventTypeProperties: 200,
  eventDescriptionLength: 500,
  eventOwnerLength: 100,
  eventEnumValues: 100,
  eventEnumLength: 200,
  /** Characters that all declared types of a workspace have together as JSON. */
  eventDeclarationsLength: 2_000_000,
  /** An undeclared type that was not seen for so long makes room for another one. */
  eventTypeIdleDays: 30,
  /** Not documented: how old a device's own time of an event may be. */
  eventLateDays: 30,
  /** Days within which an event with a known id is not stored again. */
  eventIdDays: 7,
  /** M-LIMIT-12, M-STRS-09, M-STRS-11, M-LIMIT-14. */
  stringsPerSync: 2_000,
  stringKeyLength: 200,
  namespaceLength: 100,
  stringDescriptionLength: 500,
  stringsPerDisable: 500,
  /** M-LIMIT-13, G-40. */
  stringsImportRows: 20_000,
  /** How long a deleted instance can be brought back. Our own. */
  deletedInstanceDays: 30,
  /** What an approver says of a request. Our own. */
  reviewNoteLength: 2_000,
  importBytes: 5_000_000,
  importHours: 24,
  /** Not documented: finished imports that are remembered of a workspace, and strings of one request for drafts. */
  importsKept: 100,
  stringsPerDraft: 500,
  /** Not documented: what keeps a catalog one that a process can hold whole. */
  stringTextLength: 20_000,
  /** Changes of one text that are kept. */
  textHistory: 50,
  stringsPerWorkspace: 100_000,
  localesPerWorkspace: 200,
  localeNameLength: 100,
  /** Not documented: the longest time that a workspace may keep events, in days. */
  eventRetentionDaysMax: 3650,
  /** G-77, M-ENR-93: what happened on a day (UTC) counts while that is at most so many days ago. */
  recentDays: 30,
  analyticsDays: 90,
  /** M-ENR-26 to M-ENR-33, M-LIMIT: an import; M-ENR-82, G-47: a simple upload. */
  enrichmentHeaders: 500,
  enrichmentColumns: 100,
  enrichmentChunkRows: 2_000,
  peopleImportRows: 200_000,
  enrichmentSample: 20,
  enrichmentErrors: 50,
  enrichmentRecords: 50_000,
  enrichmentRerunRecords: 5_000,
  enrichmentDaysMax: 3650,
  stagedRowHours: 24,
  sourceNameLength: 120,
  /** Not documented: characters of one value, bytes of a file with an import. */
  enrichmentTextLength: 1_000,
  enrichmentFileBytes: 100_000_000,
  /** M-SEG-02, G-45. */
  segmentNameLength: 100,
  bulkUsers: 5000,
  /** Not documented: an identify asks every segment of the workspace. */
  segmentsPerWorkspace: 1000,
  /** C-LIMIT-16. */
  segmentRefreshSeconds: 60,

  /** G-50; the counts are not documented. */
  campaignNameLength: 150,
  campaignTypeLength: 50,
  /** Saves of themselves by one member within this time are one step of the history. */
  autosaveMinutes: 30,
  campaignPriority: { min: 1, max: 10 },
  /** Days after which the in-app messages of a campaign that is over are forgotten. */
  endedCampaignDays: 30,
  /** How many of a hundred people that a campaign would reach may be left out of it. */
  campaignControlPercent: { min: 0, max: 50 },
  campaignSegments: 200,
  campaignChannels: 50,
  campaignPlacements: 100,
  campaignsPerWorkspace: 10_000,
  /** Decision 66: a mail of sections. Characters of the whole are those of its JSON; of a node, of its blocks. */
  mailSections: 60,
  mailColumns: 4,
  mailNodes: 200,
  mailBlocks: 200,
  mailRuns: 500,
  mailLocales: 20,
  mailCharacters: 100_000,
  /** Of own HTML in all languages together, and what is cleaned at once. */
  mailHtmlCharacters: 500_000,
  mailImportCharacters: 200_000,
  mailNodeCharacters: 20_000,
  mailSubjectLength: 500,
  mailLabelLength: 100,
  mailAltLength: 500,
  mailAddressLength: 2_048,
  /** Bytes of its HTML. Gmail cuts a mail off at 102,400, and the way out with it (https://www.spamresource.com/2022/01/what-is-gmail-clipping-and-what-to-do.html). */
  mailBytes: 100_000,
  mailBytesWarned: 80_000,
  /** Decision 70: mails and parts that a workspace keeps, those that were archived included; states of one that are kept; parts in one mail. */
  mailsPerWorkspace: 1_000,
  mailNameLength: 120,
  mailCategoryLength: 60,
  mailRevisions: 50,
  mailParts: 20,
  /** The brand. Pixels. */
  brandRadius: 32,
  brandLogoWidth: { min: 16, max: 536 },
  brandCompanyLength: 200,
  brandTextLength: 1_000,
  brandLinkHosts: 20,
  brandHostLength: 253,
  /** G-57; counts and lengths are not documented. Levels: the steps themselves, and conditions inside each other. */
  journeyNameLength: 150,
  journeySteps: 500,
  journeyLevels: 11,
  /** Told of one draft that is incomplete. */
  journeyProblems: 100,
  journeyWaitMinutes: { min: 0, max: 5_256_000 },
  journeyTimeoutMinutes: { min: 1, max: 129_600 },
  journeyExits: 5,
  journeyMinGapMinutes: { min: 0, max: 525_600 },
  journeyMaxActive: { min: 1, max: 20, default: 5 },
  journeyMaxEntries: { min: 1, max: 100 },
  journeyMaxEntriesDays: { min: 1, max: 90 },
  /** Characters of what tells one run of a person from the others. */
  journeyKeyLength: 200,
  /** Of what an event said, what a journey keeps; bytes of JSON. */
  journeyEventBytes: 4_096,
  /** Finished runs of one person in one journey that are kept. */
  journeyRunsKept: 100,
  /** Members of what a webhook step says, and attributes that a step writes. */
  journeyStepValues: 20,
  journeyMinutesAfterPrayer: { min: 0, max: 180, default: 0 },
  /** Beyond there are days without sunrise or sunset, and so without these prayers. */
  journeyPrayerLatitude: { min: -65, max: 65 },
  journeyGoalDays: { min: 1, max: 90, default: 7 },
  journeySplitPercent: { min: 1, max: 99 },
  /** Kept of one journey; older ones are forgotten. */
  journeyVersions: 100,
  journeyInactivityDays: { min: 1, max: 3_650, default: 30 },
  /** Hours of a clock; the default is when a trigger by a date takes people. */
  journeyHour: { min: 0, max: 23, default: 9 },
  journeyDaysBefore: { min: 0, max: 90, default: 0 },
  journeysPerWorkspace: 1_000,
  /** M-LIMIT-20. */
  journeyStepsPerCheck: 20,
  /** People of one test run. */
  journeyTestPeople: 1_000,
  journeyTestDays: { min: 1, max: 90, default: 30 },
  journeyTestEvents: 50,
  journeyTimelines: 20,
  /** G-33. */
  journeyMessageDays: 7,
  /** G-54. */
  launchCode: { minutes: 10, wrongTries: 5 },
  /** How many codes one account may try in how many seconds. */
  launchCodes: { tests: 20, seconds: 600 },
  /** Not documented: for so long a device, or an address that an app named, is not taken for the person's word about an erasure. */
  freshDeviceHours: 24,
  erasureRequestDays: 30,
  /** While erasures are confirmed: in an hour, of one caller address and of one key. */
  erasuresPerAddress: 20,
  erasuresPerKey: 1_000,

  /** G-33: an in-app message of what has no end. */
  inAppDays: 7,
  /** Days after which short links of text messages lead nowhere (decision 75), and how many unknown ones one address may ask for. */
  shortLinkDays: 180,
  shortLinkMissesPerMinute: 30,
  /** The inbox of apps (decision 68): days that a message stays, messages of a person, and of a page. */
  inboxDays: { min: 1, max: 90, default: 30 },
  inboxMessages: 200,
  inboxPage: 50,
  /** Unread messages are counted up to here. */
  inboxUnread: 100,

  /** M-LIMIT-16. */
  mediaBytes: 100_000_000,
  uploadSeconds: 300,
  /** Not documented: widths in which pictures are made, and pixels of one; unpacked it may take four bytes each. */
  pictureWidth: { step: 160, max: 2560 },
  picturePixels: 100_000_000,
  altTextLength: 500,

  /** Not documented: endpoints of a workspace, and how long a delivery that is over can be read and sent again. */
  webhooksPerWorkspace: 20,
  /** What waits for an endpoint that is off waits so long. */
  webhookOffHours: 24,
  webhookDeliveryDays: 30,
  /** G-60: test sends of one person. */
  channelTests: { tests: 5, seconds: 600 },
  /** Not documented: checks of one person that ask other machines, and links that one of them follows. */
  checks: { tests: 10, seconds: 600 },
  linksChecked: 50,
  /** Not documented. */
  channelsPerWorkspace: 50,
  channelNameLength: 100,
  /** The highest priority of a channel; the lowest is as far below 0. */
  channelPriority: 1_000_000,

  /** Not documented: providers of sign-ins of one workspace or of the installation, rows of one that turn groups into roles, domains. */
  identityProviders: 20,
  groupMappings: 200,
  signInDomains: 20,
  /** Not documented: what a directory may send of one workspace by SCIM, and at once. */
  scimUsers: 2_000,
  scimGroups: 500,
  scimOperations: 100,
  scimCount: 200,
  scimBodyBytes: 1_000_000,
  scimTextLength: 300,
  scimEmails: 10,
  scimFilterLength: 1_000,
  /** M-AUTH-14. */
  sessionHours: 24,
  /** Of one account; with one more the oldest ends. */
  sessionsPerAccount: 20,
  rolesPerWorkspace: 50,
  serviceAccountsPerWorkspace: 100,
  /** Those that open something. */
  tokensPerServiceAccount: 5,
  tokenDays: { default: 90, most: 366 },
  /** How long a token goes on beside the one that replaces it. */
  tokenOverlapHours: { default: 24, most: 168 },
  /** How long service accounts whose owner left go on. */
  ownerlessDays: 14,
  passwordMinLength: 8,
  /**
   * Not documented. `own`: wrong guesses of one address at one account, or of one browser in which it was signed in to before. `all`: of one
   * address at all accounts, and of all addresses at one.
   */
  guesses: { own: 10, all: 50, seconds: 300 },
  signUpsOfEmail: { accounts: 10, seconds: 300 },
  /** Links to a new password of one account. */
  linksPerHour: 5,
  passkeysPerAccount: 20,
  sessionIdleMinutesMin: 5,
  /** G-04: page sizes of management lists. */
  pageSize: 50,
  pageSizeMax: 200,

  /** C-STREAM-03, G-30. */
  keepAliveSeconds: 15,
  /** G-32: what clients do between signals. */
  pollIntervalSeconds: 30,

  /** Not documented: keys of repeated requests that a workspace has at a time, their characters, and the bytes of an answer or result that is kept. */
  idempotencyKeys: 10_000,
  idempotencyKeyLength: 255,
  idempotencyBytes: 1_000_000,
} as const
