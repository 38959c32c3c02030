/** By file and function, with why: statements that are of several workspaces and may be. */
export const ACROSS_WORKSPACES: Record<string, string> = {
  'infra/due/queries-due.ts listWorkspaces': 'whose rows are due; they are then worked on workspace by workspace',
  'infra/due/queries-due.ts countWaiting': 'how much waits, for the metrics of the installation',
  'modules/delivery/snapshot/queries.ts listMovedHeads':
    'what lately changed, should a signal have been lost; each is then taken in by itself',
  'modules/strings/delivery/queries-catalog.ts listMovedCatalogs': 'what lately changed, should a signal have been lost',
  'modules/analytics/queries-counts.ts countWaiting': 'how much waits, for the metrics of the installation',
  'modules/people/queries-enrichment.ts countWaiting': 'how much waits, for the metrics of the installation',
  'modules/analytics/queries-counts.ts listWorkspaces': 'whose events are to be counted; they are then counted workspace by workspace',
  'modules/people/queries-enrichment.ts listWorkspaces':
    'of whose people a value has ended; they are then worked out workspace by workspace',
  'modules/analytics/queries-retention.ts findFirstKept': 'a day of events goes as a whole when it is counted and nobody keeps it',
  'modules/content/revisions/queries-instances.ts listWorkspacesWithDeleted':
    'which have what cannot be restored any more; it then goes workspace by workspace',
  'modules/content/revisions/queries.ts copyDefinitions': 'a sandbox begins with the block types of its workspace',
  'modules/strings/queries.ts copyStrings': 'a sandbox begins with the strings of its workspace',
  'modules/webhooks/queries-deliveries.ts listWorkspacesWithOld': 'which have deliveries to forget; it then goes workspace by workspace',
  'modules/sends/inbound/queries-inbound.ts listWorkspacesWithOldMessages':
    'which have answers of people to forget; it then goes workspace by workspace',
  'modules/responses/short-links/queries-short-links.ts listWorkspacesWithOldLinks':
    'which have short links to forget; it then goes workspace by workspace',
  'infra/secrets/sealed.ts listWorkspacesSealedBefore':
    'which have secrets of an earlier key; they are then sealed again workspace by workspace',
  'modules/identity/proof/queries-bindings.ts listWorkspacesWithOldBindings':
    'which have installations that nobody uses any more; it then goes workspace by workspace',
  'modules/identity/proof/queries-counts.ts listWorkspacesWithOldCounts':
    'which have counts to forget; it then goes workspace by workspace',
  'modules/audit/queries-heads.ts listToSign': 'which have entries that are not signed; each chain is then signed by itself',
  'modules/audit/queries-heads.ts listToTell': 'which have entries that their endpoints were not told of; each is then told by itself',
  'modules/audit/queries-heads.ts listToPrune': 'which have entries that are too old; they then go workspace by workspace',
  'infra/once/queries-once.ts listWorkspacesWithOldKeys': 'which have keys of requests to forget; it then goes workspace by workspace',
  'modules/endings/queries-endings.ts pageEndings': 'receipts of the whole installation, for whoever runs it',
  'modules/segments/queries.ts copyRows': 'a sandbox begins with the segments of its workspace',
  'modules/mails/queries-library.ts copyMails': 'a sandbox begins with the mails of its workspace',
  'modules/topics/queries-topics.ts copyTopics': 'a sandbox begins with the topics of its workspace',
}

/** By file and function, with why: what takes a second connection while its async context holds a transaction. */
export const SECOND_CONNECTION: Record<string, string> = {}

/** Statements that are still to be made fit. Only ever shorter. */
export const UNFIT_YET = new Set<string>([])
