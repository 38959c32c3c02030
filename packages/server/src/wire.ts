/**
 * What the management API answers, as whoever reads it gets it. Types only, made of the schemas of the routes: the
 * dashboard imports them, so no shape is written twice.
 */
import type { Json as JsonValue } from '@contentflow/core/blocks/field.ts'
import type { AskedSchema, Static, TSchema } from './http/schema.ts'
import type * as analysis from './modules/analysis/present.ts'
import type * as analytics from './modules/analytics/routes.ts'
import type * as results from './modules/analytics/routes-results.ts'
import type * as campaigns from './modules/campaigns/present.ts'
import type * as channels from './modules/channels/present.ts'
import type * as consent from './modules/consent/routes.ts'
import type * as content from './modules/content/revisions/present.ts'
import type * as impact from './modules/content/overview/present-impact.ts'
import type * as overview from './modules/content/overview/present-overview.ts'
import type * as publication from './modules/content/publication/present.ts'
import type * as enrichment from './modules/enrichment/present.ts'
import type * as eventCatalog from './modules/event-catalog/present.ts'
import type * as events from './modules/events/routes-read.ts'
import type * as experimentPlans from './modules/experiments/routes.ts'
import type * as experiments from './modules/experiments/present.ts'
import type * as explain from './modules/explain/routes.ts'
import type * as identity from './modules/identity/routes.ts'
import type * as proof from './modules/identity/proof/routes-proof.ts'
import type * as journeys from './modules/journeys/present.ts'
import type * as journeyReports from './modules/journeys/present-report.ts'
import type * as brand from './modules/mails/present-brand.ts'
import type * as mailLibrary from './modules/mails/present-library.ts'
import type * as mailHtml from './modules/mails/present-html.ts'
import type * as media from './modules/media/present.ts'
import type * as people from './modules/people/present.ts'
import type * as quota from './modules/quota/routes.ts'
import type * as responses from './modules/responses/present.ts'
import type * as inbound from './modules/sends/inbound/present-inbound.ts'
import type * as sends from './modules/sends/present.ts'
import type * as sendPreview from './modules/sends/present-preview.ts'
import type * as segments from './modules/segments/present.ts'
import type * as strings from './modules/strings/present.ts'
import type * as drafts from './modules/strings/editor/routes-drafts.ts'
import type * as editor from './modules/strings/editor/routes-editor.ts'
import type * as imports from './modules/strings/files/routes-imports.ts'
import type * as sensors from './modules/strings/editor/routes-sensors.ts'
import type * as access from './modules/access/present.ts'
import type * as provisioning from './modules/scim/routes-overview.ts'
import type * as topics from './modules/topics/present.ts'
import type * as audit from './modules/audit/present.ts'
import type * as webhooks from './modules/webhooks/present.ts'
import type * as accounts from './modules/workspaces/present.ts'
import type * as members from './modules/workspaces/accounts/members/routes-members.ts'
import type * as links from './modules/workspaces/accounts/routes-links.ts'
import type * as passkeys from './modules/workspaces/accounts/passkeys/present-passkeys.ts'
import type * as secondFactor from './modules/workspaces/accounts/second-factor/routes-second-factor.ts'
import type * as device from './modules/workspaces/accounts/device/routes-device.ts'
import type * as sessions from './modules/workspaces/accounts/sign-in/routes-session.ts'
import type * as oidc from './modules/workspaces/accounts/oidc/routes-oidc.ts'
import type * as providers from './modules/workspaces/accounts/oidc/present-providers.ts'
import type * as signIn from './modules/workspaces/accounts/sign-in/routes-sign-in-settings.ts'
import type * as calendar from './modules/workspaces/routes-calendar.ts'
import type * as holdout from './modules/workspaces/routes-holdout.ts'
import type * as linkSchemes from './modules/workspaces/routes-link-schemes.ts'
import type * as protections from './modules/workspaces/routes-protections.ts'
import type * as webAddress from './modules/sends/addresses/routes-web-address.ts'
import type * as firstMessages from './modules/sends/first-messages/routes-first-messages.ts'
import type * as personExports from './modules/requests/export/routes-export.ts'
import type * as subjectRequests from './modules/requests/received/present-received.ts'
import type * as erasureRequests from './modules/identity/erasure-requests/routes-erasure-requests.ts'
import type * as settings from './modules/workspaces/routes-settings.ts'
import type * as campaignStatistics from './modules/campaigns/report/present-statistics.ts'
import type * as campaignTests from './modules/campaigns/routes-preview.ts'
import type * as launch from './modules/campaigns/routes-launch.ts'

/** As JSON: a time is text. */
type Sent<T> = T extends JsonValue ? T : T extends Date ? string : T extends object ? { [Member in keyof T]: Sent<T[Member]> } : T
type Wire<S extends TSchema> = Sent<Static<S>>

/** Every `code` that a refusal of the management API can carry. */
export type { ManagementErrorCode } from './errors.ts'

export type Environment = 'live' | 'test'

export type Membership = Wire<typeof accounts.Membership>
export type Me = Wire<typeof accounts.Me>
export type AccessRole = Wire<typeof access.RoleSchema>
export type Permissions = Wire<typeof access.AccessSchema>
export type ServiceAccount = Wire<typeof access.ServiceSchema>
export type EndingCredential = Wire<typeof access.EndingSchema>
export type ApiToken = Wire<typeof access.TokenSchema>
export type ShownApiToken = Wire<typeof access.ShownTokenSchema>
export type Member = Wire<typeof members.Member>
export type Installation = Wire<typeof sessions.Installation>
export type DeviceSignIn = Wire<typeof device.DeviceSignIn>
export type OpenSession = Wire<typeof sessions.OpenSession>
export type OfferedProviders = Wire<typeof oidc.OfferedProviders>
export type WaitingLink = Wire<typeof oidc.WaitingLink>
export type Provisioning = Wire<typeof provisioning.Provisioning>
export type ProvisionedUser = Wire<typeof provisioning.ProvisionedUser>
export type IdentityProvider = Wire<typeof providers.WorkspaceProvider>
export type SecondFactors = Wire<typeof secondFactor.SecondFactors>
export type NewAuthenticator = Wire<typeof secondFactor.NewAuthenticator>
export type RecoveryCodes = Wire<typeof secondFactor.RecoveryCodes>
export type Passkey = Wire<typeof passkeys.Passkey>
export type NewPasskeyOptions = Wire<typeof passkeys.CreationOptions>
export type SignInSettings = Wire<typeof signIn.SignInSettings>
export type ResetLink = Wire<typeof links.ResetLink>
export type AddedMember = Wire<typeof members.AddedMember>
export type Key = Wire<typeof settings.ListedKey>
export type ShownKey = Wire<typeof settings.ShownKey>
export type Features = Wire<typeof settings.FeatureSwitches>
export type InboundMessage = Wire<typeof inbound.InboundSchema>
export type MessageTopic = Wire<typeof topics.TopicSchema>
export type PreferencePage = Wire<typeof topics.PageSchema>
export type MessageTracking = Wire<typeof responses.MessageTrackingSchema>
export type ResponseReport = Wire<typeof responses.ResponseReportSchema>
export type FirstMessages = Wire<typeof firstMessages.FirstMessages>
export type WebAddress = Wire<typeof webAddress.WebAddress>
export type PersonExport = Wire<typeof personExports.PersonExportSchema>
export type SubjectRequest = Wire<typeof subjectRequests.SubjectRequestSchema>
export type ErasureRequest = Wire<typeof erasureRequests.ErasureRequestSchema>
export type Holdout = Wire<typeof holdout.HoldoutSchema>
export type HoldoutReport = Wire<typeof experiments.HoldoutReport>
export type LinkSchemeList = Wire<typeof linkSchemes.LinkSchemeList>
export type ProtectionSwitches = Wire<typeof protections.ProtectionSwitches>
export type IdentityVerification = Wire<typeof proof.IdentityVerification>
export type ProofReport = Wire<typeof proof.ProofReport>
export type IdentityKey = Wire<typeof proof.IdentityKey>
export type ShownIdentityKey = Wire<typeof proof.ShownIdentityKey>
export type DerivedKeys = Wire<typeof settings.Policy>
export type Retirement = Wire<typeof settings.Retirement>
export type CalendarSetting = Wire<typeof calendar.CalendarSetting>
export type Usage = Wire<typeof quota.Usage>
export type Sandbox = Wire<typeof settings.Sandbox>

export type BlockType = Wire<typeof content.DefinitionSchema>
export type Instance = Wire<typeof content.InstanceSchema>
export type Revision = Wire<typeof content.RevisionSchema>
export type Summary = Wire<typeof overview.SummarySchema>
export type Counts = Wire<typeof overview.CountsSchema>
export type Overview = Wire<typeof overview.OverviewSchema>
export type Impact = Wire<typeof impact.ImpactSchema>
export type PublishAsked = Wire<typeof AskedSchema>
export type Scheduled = Wire<typeof publication.ScheduledSchema>
export type HistoryEntry = Wire<typeof publication.HistorySchema>
export type Review = Wire<typeof publication.ReviewSchema>
export type AnyReview = Wire<typeof publication.AnyReviewSchema>
export type ServedContent = Wire<typeof publication.ServedSchema>
export type DeviceContent = Wire<typeof explain.DeviceContentSchema>
export type BlockExplanation = Wire<typeof explain.ExplanationSchema>

export type Locale = Wire<typeof strings.LocaleSchema>
export type StringItem = Wire<typeof strings.StringSchema>
export type TextHistory = Wire<typeof strings.TextHistorySchema>
export type Approved = Wire<typeof strings.ApprovedManySchema>
export type SensorAnswer = Wire<typeof strings.SensorSchema> | Wire<typeof strings.SensorWaitsSchema>
export type SensorRequest = Wire<typeof strings.SensorRequestSchema>
export type SensorApproval = Wire<typeof sensors.Approval>
export type Namespace = Wire<typeof editor.Namespace>
export type Drafted = Wire<typeof drafts.DraftedSchema>
export type DraftedMany = Wire<typeof drafts.ManySchema>
export type StringImport = Wire<typeof imports.ImportSchema>
export type ImportEffect = Wire<typeof imports.EffectSchema>

export type Asset = Wire<typeof media.AssetSchema>
export type AssetPage = Wire<typeof media.AssetPageSchema>
export type Upload = Wire<typeof media.UploadSchema>

export type Channel = Wire<typeof channels.ChannelSchema>
export type ImportedHtml = Wire<typeof mailHtml.ImportedSchema>
export type DomainCheck = Wire<typeof channels.DomainCheckSchema>

export type Journey = Wire<typeof journeys.JourneySchema>
export type ListedJourney = Wire<typeof journeys.ListedJourneySchema>
export type JourneyVersion = Wire<typeof journeys.VersionSchema>
export type JourneyRun = Wire<typeof journeys.RunSchema>
export type PersonsJourney = Wire<typeof journeys.PersonsJourneySchema>
export type JourneyEnrolled = Wire<typeof journeys.EnrolledSchema>
export type JourneyReport = Wire<ReturnType<typeof journeyReports.JourneyReportSchema<typeof sends.ReportSchema>>>
export type JourneyTestRun = Wire<typeof journeyReports.TestRunSchema>
export type JourneyExplanation = Wire<typeof journeyReports.ExplainSchema>

export type Send = Wire<typeof sends.SendSchema>

export type Campaign = Wire<typeof campaigns.CampaignSchema>
export type CampaignEvent = Wire<typeof campaigns.CampaignEventSchema>
export type CampaignApproval = Wire<typeof campaigns.ApprovalSchema>
export type CampaignExplanation = Wire<typeof campaigns.CampaignExplanationSchema>
export type CampaignEdit = Wire<typeof campaigns.EditSchema>
export type CampaignEditAsked = Wire<typeof campaigns.EditAskedSchema>
export type CampaignPreview = Wire<typeof sendPreview.PreviewSchema>
export type CampaignStatistics = Wire<typeof campaignStatistics.StatisticsSchema>
export type CampaignReport = Wire<typeof sends.ReportSchema>
export type CampaignTest = Wire<typeof campaignTests.Tried>
export type LaunchSetting = Wire<typeof launch.LaunchSchema>
export type LaunchCode = Wire<typeof launch.SentSchema>

export type AuditEntry = Wire<typeof audit.EntrySchema>
export type BoundAuditEntry = Wire<typeof audit.BoundEntrySchema>
export type AuditVerdict = Wire<typeof audit.VerdictSchema>
export type AuditSettings = Wire<typeof audit.SettingsSchema>

export type Webhook = Wire<typeof webhooks.EndpointSchema>
export type ShownWebhook = Wire<typeof webhooks.ShownEndpointSchema>
export type WebhookDelivery = Wire<typeof webhooks.DeliverySchema>
export type WebhookDeliveryPage = Wire<typeof webhooks.DeliveryPageSchema>

export type Segment = Wire<typeof segments.SegmentSchema>
export type SegmentPreview = Wire<typeof segments.PreviewSchema>
export type SegmentExplanation = Wire<typeof explain.SegmentExplanationSchema>
export type SegmentFields = Wire<typeof segments.FieldsPage>['data']

export type DataImport = Wire<typeof enrichment.ImportSchema>
export type DataImportSummary = Wire<typeof enrichment.ImportSummarySchema>
export type RejectedRow = Wire<typeof enrichment.RejectedSchema>
export type DataUpload = Wire<typeof enrichment.UploadSchema>
export type DataUploadPage = Wire<typeof enrichment.UploadPageSchema>
export type DataSource = Wire<typeof enrichment.SourceSchema>
export type SourceRanking = Wire<typeof enrichment.RankingSchema>
export type RankingPreview = Wire<typeof enrichment.PreviewSchema>
export type PersonValue = Wire<typeof enrichment.PersonValuesSchema>['values'][number]

export type PersonRow = Wire<typeof people.PersonSchema>
export type ClosedContact = Wire<typeof people.ClosedContactSchema>
export type Placeholders = Wire<typeof people.PlaceholdersSchema>
export type Person = Wire<typeof people.PersonPageSchema>
export type Profile = Wire<typeof people.ProfileSchema>
export type Device = Wire<typeof people.DeviceSchema>
export type DevicePage = Wire<typeof people.DevicePageSchema>
export type LedgerEntry = Wire<typeof consent.LedgerSchema>
export type EventType = Wire<typeof eventCatalog.TypeSchema>
export type ListedEventType = Wire<typeof eventCatalog.ListedTypeSchema>
export type EventTypeValues = Wire<typeof eventCatalog.ValuesSchema>
export type StoredEvent = Wire<typeof events.EventSchema>
export type Erasure = Wire<typeof identity.ErasureSchema>

export type ExploreResult = Wire<typeof analysis.ExploreSchema>
export type FunnelResult = Wire<typeof analysis.FunnelSchema>
export type FunnelPeople = Wire<typeof analysis.FunnelPeopleSchema>
export type MadeSegment = Wire<typeof analysis.MadeSegmentSchema>
export type RetentionResult = Wire<typeof analysis.RetentionSchema>
export type Report = Wire<typeof analysis.ReportSchema>
export type BrandSetting = Wire<typeof brand.BrandSchema>
export type ListedMail = Wire<typeof mailLibrary.ListedMailSchema>
export type LibraryMail = Wire<typeof mailLibrary.LibraryMailSchema>
export type MailRevision = Wire<typeof mailLibrary.MailRevisionSchema>
export type GalleryMail = Wire<typeof mailLibrary.GalleryEntrySchema>

export type Activity = Wire<typeof analytics.OverviewSchema>
export type Retention = Wire<typeof analytics.Retention>
export type InstanceResults = Wire<typeof results.ResultsSchema>
export type ListedExperiment = Wire<typeof experiments.ListedExperimentSchema>
export type Experiment = Wire<typeof experiments.ExperimentSchema>
export type ExperimentPlan = Wire<typeof experimentPlans.PlanSchema>
