/**
 * How tools call each route, and the refusals that are its own; those that come with its credential are said once, in
 * `document.ts`. A route that is not named here gets a name made of its address.
 */
const TABLE = `
POST /sdk/v1/cards/register declareBlockType LINK_SCHEME_NOT_ALLOWED WORKSPACE_FULL APPROVAL_NEEDED ANSWER_TOO_LONG
POST /sdk/v1/cards/sync declareBlockTypes WORKSPACE_FULL APPROVAL_NEEDED ANSWER_TOO_LONG
GET /sdk/v1/sync syncContent
GET /sdk/v1/blocks/{key} getDeliveredBlock
GET /sdk/v1/stream openStream
POST /sdk/v1/campaigns listDeliveredCampaigns USER_TOKEN_REQUIRED USER_TOKEN_INVALID
GET /sdk/v1/strings getTexts
GET /sdk/v1/locales getDeliveredLocales
POST /sdk/v1/strings/sync declareStrings STRINGS_SYNC_FAILED STRING_LIMIT WORKSPACE_FULL APPROVAL_NEEDED
POST /sdk/v1/strings/disable disableSensors VALIDATION_ERROR STRINGS_DISABLE_FAILED
POST /sdk/v1/identify identifyPerson PLACEHOLDER_USER_ID DEVICE_ENVIRONMENT_MISMATCH DEVICE_STATE_CHANGED ERASURE_PENDING PUSH_LINKAGE_INCOMPLETE USER_TOKEN_REQUIRED USER_TOKEN_INVALID DEVICE_PROOF_REQUIRED
DELETE /sdk/v1/identify erasePerson DEVICE_ENVIRONMENT_MISMATCH ERASURE_PENDING ERASURE_RATE_LIMITED USER_TOKEN_REQUIRED USER_TOKEN_INVALID DEVICE_PROOF_REQUIRED
POST /sdk/v1/logout logOutPerson DEVICE_ENVIRONMENT_MISMATCH DEVICE_STATE_CHANGED PUSH_LINKAGE_INCOMPLETE DEVICE_PROOF_REQUIRED
POST /sdk/v1/track-event trackSignIn ENDPOINT_MISMATCH SUBJECT_ERASED DEVICE_ENVIRONMENT_MISMATCH USER_TOKEN_REQUIRED USER_TOKEN_INVALID DEVICE_PROOF_REQUIRED
POST /sdk/v1/profile setProfile DEVICE_NOT_IDENTIFIED USER_ID_DEVICE_MISMATCH SUBJECT_ERASED DEVICE_ENVIRONMENT_MISMATCH USER_TOKEN_REQUIRED USER_TOKEN_INVALID DEVICE_PROOF_REQUIRED
POST /sdk/v1/consent giveConsent CHANNELS_REQUIRED DEVICE_REQUIRED DEVICE_NOT_IDENTIFIED USER_MISMATCH USER_RATE_LIMITED SUBJECT_ERASED DEVICE_ENVIRONMENT_MISMATCH USER_TOKEN_REQUIRED USER_TOKEN_INVALID DEVICE_PROOF_REQUIRED
POST /sdk/v1/consent/full giveFullConsent DEVICE_REQUIRED DEVICE_NOT_IDENTIFIED USER_MISMATCH USER_RATE_LIMITED SUBJECT_ERASED DEVICE_ENVIRONMENT_MISMATCH CHANNELS_REQUIRED USER_TOKEN_REQUIRED USER_TOKEN_INVALID DEVICE_PROOF_REQUIRED
GET /sdk/v1/consent/config/{preset} getConsentPreset
POST /sdk/v1/register-push registerPush INVALID_PUSH_PLATFORM INVALID_PUSH_PROVIDER USER_ID_DEVICE_MISMATCH USER_RATE_LIMITED PUSH_LINKAGE_INCOMPLETE DEVICE_ENVIRONMENT_MISMATCH DEVICE_NOT_IDENTIFIED USER_TOKEN_REQUIRED USER_TOKEN_INVALID DEVICE_PROOF_REQUIRED
DELETE /sdk/v1/register-push unregisterPush DEVICE_ENVIRONMENT_MISMATCH DEVICE_PROOF_REQUIRED
PATCH /sdk/v1/push/preferences changePushPreferences DEVICE_NOT_IDENTIFIED DEVICE_ENVIRONMENT_MISMATCH SUBJECT_ERASED DEVICE_PROOF_REQUIRED
GET /sdk/v1/push/topics listPushTopics DEVICE_ENVIRONMENT_MISMATCH DEVICE_PROOF_REQUIRED
POST /sdk/v1/push/topics subscribePushTopic DEVICE_ENVIRONMENT_MISMATCH DEVICE_PROOF_REQUIRED
DELETE /sdk/v1/push/topics/{topic} unsubscribePushTopic DEVICE_ENVIRONMENT_MISMATCH DEVICE_PROOF_REQUIRED
POST /sdk/v1/location trackLocation MAX_BATCH_SIZE DEVICE_NOT_IDENTIFIED LOCATION_CONSENT_REQUIRED DEVICE_ENVIRONMENT_MISMATCH DEVICE_PROOF_REQUIRED
GET /sdk/v1/location/ip locateAddress
POST /sdk/v1/events recordEvents ENDPOINT_MISMATCH MAX_BATCH_SIZE DEVICE_ENVIRONMENT_MISMATCH DEVICE_PROOF_REQUIRED
POST /api/v1/auth/signup signUp SIGNUP_RATE_LIMITED PASSWORD_WEAK SETUP_TOKEN_REQUIRED TIME_ZONE_UNKNOWN SIGN_IN_BUSY
POST /api/v1/auth/login logIn LOGIN_RATE_LIMITED SIGN_IN_BUSY
POST /api/v1/auth/logout logOut
GET /api/v1/auth/me getMe
DELETE /api/v1/auth/me deleteMe PASSWORD_WRONG LOGIN_RATE_LIMITED SIGN_IN_BUSY LAST_ADMIN
POST /api/v1/auth/me/restore restoreMe
GET /api/v1/auth/sessions listSessions
DELETE /api/v1/auth/sessions/{id} endSession
POST /api/v1/auth/password-reset askForPasswordReset LINKS_RATE_LIMITED
PUT /api/v1/auth/password-reset resetPassword LINK_OVER PASSWORD_WEAK SIGN_IN_BUSY
POST /api/v1/auth/email askForNewEmail MAIL_OFF PASSWORD_WRONG LOGIN_RATE_LIMITED LINKS_RATE_LIMITED SIGN_IN_BUSY
PUT /api/v1/auth/email takeNewEmail LINK_OVER
POST /api/v1/members/{userId}/reset-link makeResetLink ACCOUNT_SHARED LINKS_RATE_LIMITED
POST /api/v1/operator/accounts/reset-link makeResetLinkAsOperator LINKS_RATE_LIMITED
PUT /api/v1/auth/me updateMe
GET /api/v1/workspaces listWorkspaces
POST /api/v1/workspaces createWorkspace TIME_ZONE_UNKNOWN WORKSPACES_BY_OPERATOR WORKSPACE_LIMIT WORKSPACES_RATE_LIMITED
POST /api/v1/workspace/code/plan planWorkspace
POST /api/v1/workspace/code/apply applyWorkspace LINK_SCHEME_NOT_ALLOWED WORKSPACE_CHANGED CAMPAIGN_LIMIT CAMPAIGN_NOT_EDITABLE CHANNEL_LIMIT JOURNEY_ACTIVE JOURNEY_INCOMPLETE JOURNEY_LIMIT STRING_LIMIT TEST_ENV_RETIRED WEBHOOK_LIMIT WORKSPACE_FULL ADDRESS_NOT_PROVED ANSWER_TOO_LONG WEB_ADDRESS_NEEDED PUSH_TOO_LARGE
POST /api/v1/workspaces/join joinWorkspace WORKSPACE_SUSPENDED INVITATION_OVER
GET /api/v1/members listMembers
POST /api/v1/members addMember LOGIN_RATE_LIMITED SIGNUP_RATE_LIMITED SIGN_IN_BUSY PASSWORD_WEAK
PUT /api/v1/members/{userId} updateMember
DELETE /api/v1/members/{userId} removeMember
GET /api/v1/auth/installation getInstallation
POST /api/v1/auth/session openSession LOGIN_RATE_LIMITED SIGN_IN_BUSY PASSWORD_CHANGE_REQUIRED PASSWORD_CHANGED PASSWORD_WEAK
DELETE /api/v1/auth/session closeSession
PUT /api/v1/auth/password changePassword PASSWORD_WRONG PASSWORD_CHANGED PASSWORD_WEAK LOGIN_RATE_LIMITED SIGN_IN_BUSY
PUT /api/v1/workspaces/current renameWorkspace
GET /api/v1/settings/sdk-keys listAppKeys
POST /api/v1/settings/sdk-keys createAppKey SANDBOX_LIVE_KEY_FORBIDDEN
POST /api/v1/settings/sdk-keys/{id}/rotate rotateAppKey
DELETE /api/v1/settings/sdk-keys/{id} revokeAppKey
GET /api/v1/settings/write-keys listWriteKeys
POST /api/v1/settings/write-keys createWriteKey
POST /api/v1/settings/write-keys/{id}/rotate rotateWriteKey
DELETE /api/v1/settings/write-keys/{id} revokeWriteKey
GET /api/v1/settings/read-keys listReadKeys
POST /api/v1/settings/read-keys createReadKey
POST /api/v1/settings/read-keys/{id}/rotate rotateReadKey
DELETE /api/v1/settings/read-keys/{id} revokeReadKey
GET /api/v1/settings/features getFeatures
PUT /api/v1/settings/features setFeatures
GET /api/v1/settings/sdk-key-policy getDerivedKeyPolicy
PUT /api/v1/settings/sdk-key-policy setDerivedKeyPolicy LIVE_PUBLISHABLE_KEY_REQUIRED
GET /api/v1/settings/sandbox getSandbox
POST /api/v1/settings/sandbox createSandbox SANDBOX_NESTED WORKSPACE_LIMIT
DELETE /api/v1/settings/sandbox unlinkSandbox
GET /api/v1/settings/test-environment getTestEnvironment
PUT /api/v1/settings/test-environment setTestEnvironment
GET /api/v1/settings/identity-verification getIdentityVerification
PUT /api/v1/settings/identity-verification setIdentityVerification IDENTITY_CHECK_NEEDED IDENTITY_KEY_REQUIRED
GET /api/v1/settings/identity-verification/report getIdentityReport
GET /api/v1/settings/identity-keys listIdentityKeys
POST /api/v1/settings/identity-keys createIdentityKey IDENTITY_KEY_LIMIT
DELETE /api/v1/settings/identity-keys/{id} deleteIdentityKey IDENTITY_KEY_REQUIRED
GET /api/v1/settings/usage getUsage
GET /api/v1/settings/web-address getWebAddress
PUT /api/v1/settings/web-address setWebAddress
GET /api/v1/settings/first-messages getFirstMessages
PUT /api/v1/settings/first-messages setFirstMessages
GET /api/v1/settings/link-schemes getLinkSchemes
PUT /api/v1/settings/link-schemes setLinkSchemes
GET /api/v1/settings/calendar getCalendar
PUT /api/v1/settings/calendar setCalendar TIME_ZONE_UNKNOWN
POST /api/v1/operator/workspaces createWorkspaceFor TIME_ZONE_UNKNOWN
POST /api/v1/operator/workspaces/{id}/suspend suspendWorkspace
POST /api/v1/operator/workspaces/{id}/resume resumeWorkspace
PUT /api/v1/operator/workspaces/{id}/plan setWorkspacePlan
GET /api/v1/blocks listBlockTypes
POST /api/v1/blocks createBlockType LINK_SCHEME_NOT_ALLOWED WORKSPACE_FULL ANSWER_TOO_LONG
GET /api/v1/blocks/{key} getBlockType
PUT /api/v1/blocks/{key} updateBlockType LINK_SCHEME_NOT_ALLOWED WORKSPACE_FULL APPROVAL_NEEDED ANSWER_TOO_LONG
DELETE /api/v1/blocks/{key} archiveBlockType APPROVAL_NEEDED
POST /api/v1/blocks/{key}/restore restoreBlockType WORKSPACE_FULL APPROVAL_NEEDED ANSWER_TOO_LONG
GET /api/v1/blocks/{key}/instances listInstances
POST /api/v1/blocks/{key}/instances createInstance LINK_SCHEME_NOT_ALLOWED WORKSPACE_FULL ANSWER_TOO_LONG
GET /api/v1/blocks/{key}/instances/{id} getInstance
PUT /api/v1/blocks/{key}/instances/{id} updateInstance LINK_SCHEME_NOT_ALLOWED VERSION_CHANGED TEST_ENV_RETIRED WORKSPACE_FULL ADDRESS_NOT_PROVED ANSWER_TOO_LONG
DELETE /api/v1/blocks/{key}/instances/{id} deleteInstance VERSION_CHANGED ADDRESS_NOT_PROVED
GET /api/v1/blocks/{key}/instances/{id}/revisions listRevisions
POST /api/v1/blocks/{key}/instances/{id}/revisions/{number}/rollback rollBackInstance VERSION_CHANGED WORKSPACE_FULL ADDRESS_NOT_PROVED ANSWER_TOO_LONG
POST /api/v1/blocks/{key}/instances/{id}/publish publishInstance VERSION_CHANGED TEST_ENV_RETIRED WORKSPACE_FULL ADDRESS_NOT_PROVED ANSWER_TOO_LONG
POST /api/v1/blocks/{key}/instances/{id}/unpublish unpublishInstance ADDRESS_NOT_PROVED
POST /api/v1/blocks/{key}/instances/{id}/restore restoreInstance WORKSPACE_FULL ANSWER_TOO_LONG
GET /api/v1/blocks/{key}/instances/{id}/schedule listScheduledPublications
PUT /api/v1/blocks/{key}/instances/{id}/schedule/{scheduleId} rescheduleInstance ADDRESS_NOT_PROVED
DELETE /api/v1/blocks/{key}/instances/{id}/schedule/{scheduleId} unscheduleInstance
GET /api/v1/blocks/{key}/instances/{id}/history listInstanceHistory
GET /api/v1/blocks/{key}/instances/{id}/at getInstanceAt
GET /api/v1/reviews listReviews
POST /api/v1/reviews/{id}/approve approveReview SELF_APPROVAL_NOT_ALLOWED REVIEW_OVER WORKSPACE_FULL ADDRESS_NOT_PROVED INVITER_APPROVAL_NOT_ALLOWED LAUNCH_ADMIN_REQUIRED LAUNCH_OTP_REQUIRED ANSWER_TOO_LONG WEB_ADDRESS_NEEDED PUSH_TOO_LARGE PUBLIC_URL_NEEDED
POST /api/v1/reviews/{id}/reject rejectReview REVIEW_OVER
GET /api/v1/settings/publishing getPublishingSetting
PUT /api/v1/settings/publishing setPublishingSetting
GET /api/v1/instances listAllInstances
GET /api/v1/content/counts countInstances
GET /api/v1/content/overview getContentOverview
GET /api/v1/blocks/{key}/instances/{id}/impact getInstanceImpact
POST /api/v1/blocks/{key}/instances/{id}/impact previewInstanceImpact
PUT /api/v1/blocks/{key}/instances/order orderInstances APPROVAL_NEEDED NO_ROOM_FOR_ORDER ANSWER_TOO_LONG
POST /api/v1/blocks/{key}/instances/{id}/duplicate duplicateInstance WORKSPACE_FULL ANSWER_TOO_LONG
POST /api/v1/cards/register registerBlockType LINK_SCHEME_NOT_ALLOWED WORKSPACE_FULL APPROVAL_NEEDED ANSWER_TOO_LONG
POST /api/v1/cards/sync syncBlockTypes WORKSPACE_FULL APPROVAL_NEEDED ANSWER_TOO_LONG
GET /api/v1/strings listStrings
POST /api/v1/strings createString STRING_EXISTS STRING_LIMIT WORKSPACE_FULL APPROVAL_NEEDED
GET /api/v1/strings/namespaces listNamespaces
GET /api/v1/strings/{key} getString UNKNOWN_STRING
PUT /api/v1/strings/{key} updateString UNKNOWN_STRING VERSION_CHANGED WORKSPACE_FULL APPROVAL_NEEDED
POST /api/v1/strings/approve approveTranslations APPROVAL_NEEDED
PUT /api/v1/strings/{key}/translations/{locale} updateTranslation UNKNOWN_STRING VERSION_CHANGED SOURCE_LANGUAGE WORKSPACE_FULL APPROVAL_NEEDED
DELETE /api/v1/strings/{key}/translations/{locale} deleteTranslation UNKNOWN_STRING VERSION_CHANGED SOURCE_LANGUAGE WORKSPACE_FULL APPROVAL_NEEDED
POST /api/v1/strings/{key}/translations/{locale}/approve approveTranslation UNKNOWN_STRING VERSION_CHANGED SOURCE_LANGUAGE PLACEHOLDER_MISMATCH WORKSPACE_FULL APPROVAL_NEEDED
GET /api/v1/strings/{key}/history listSourceTextHistory UNKNOWN_STRING
POST /api/v1/strings/{key}/restore restoreSourceText UNKNOWN_STRING VERSION_CHANGED WORKSPACE_FULL APPROVAL_NEEDED
GET /api/v1/strings/{key}/translations/{locale} getTranslation UNKNOWN_STRING SOURCE_LANGUAGE
GET /api/v1/strings/{key}/translations/{locale}/history listTranslationHistory UNKNOWN_STRING SOURCE_LANGUAGE
POST /api/v1/strings/{key}/translations/{locale}/restore restoreTranslation UNKNOWN_STRING SOURCE_LANGUAGE VERSION_CHANGED WORKSPACE_FULL APPROVAL_NEEDED
GET /api/v1/strings/export exportStrings
GET /api/v1/strings/imports listStringImports
POST /api/v1/strings/imports createStringImport IMPORT_ALREADY_PENDING
GET /api/v1/strings/imports/{id} getStringImport
DELETE /api/v1/strings/imports/{id} cancelStringImport IMPORT_OVER
POST /api/v1/strings/imports/{id}/apply applyStringImport IMPORT_OVER STRING_LIMIT WORKSPACE_FULL APPROVAL_NEEDED
POST /api/v1/strings/{key}/translations/{locale}/draft draftTranslation UNKNOWN_STRING SOURCE_LANGUAGE WORKSPACE_FULL APPROVAL_NEEDED
POST /api/v1/strings/draft draftTranslations WORKSPACE_FULL APPROVAL_NEEDED
PUT /api/v1/strings/{key}/sensor setSensor UNKNOWN_STRING
POST /api/v1/strings/{key}/sensor/approve approveSensor UNKNOWN_STRING SENSOR_NOT_ASKED SELF_APPROVAL_NOT_ALLOWED ADDRESS_NOT_PROVED INVITER_APPROVAL_NOT_ALLOWED
DELETE /api/v1/strings/{key}/sensor/request withdrawSensorRequest UNKNOWN_STRING SENSOR_NOT_ASKED
GET /api/v1/strings/sensor-requests listSensorRequests
GET /api/v1/settings/sensor-approval getSensorApproval
PUT /api/v1/settings/sensor-approval setSensorApproval
GET /api/v1/locales listLocales
POST /api/v1/locales addLocale LOCALE_LIMIT
DELETE /api/v1/locales/{code} removeLocale
GET /api/v1/settings/source-locale getSourceLocale
PUT /api/v1/settings/source-locale setSourceLocale
POST /api/v1/strings/sync syncStrings STRINGS_SYNC_FAILED STRING_LIMIT WORKSPACE_FULL APPROVAL_NEEDED
POST /api/v1/strings/disable disableStringSensors VALIDATION_ERROR STRINGS_DISABLE_FAILED
GET /api/v1/read/users/{userId}/segments readSegmentsOfPerson
GET /api/v1/read/users/{userId}/devices readDevicesOfPerson
GET /api/v1/read/devices/{deviceId} readDevice
GET /api/v1/users listPeople
GET /api/v1/contacts/closed listClosedContacts
POST /api/v1/contacts/open openContacts
GET /api/v1/contacts/placeholder-ids listPlaceholderIds
GET /api/v1/users/{userId} getPerson
DELETE /api/v1/users/{userId} erasePersonOrDevice
GET /api/v1/devices/{deviceId} getDevice
GET /api/v1/erasures listErasures
GET /api/v1/erasures/{id} getErasure
GET /api/v1/erasure-requests listErasureRequests
POST /api/v1/erasure-requests/{id}/confirm confirmErasureRequest ERASURE_REQUEST_OVER
POST /api/v1/erasure-requests/{id}/reject rejectErasureRequest ERASURE_REQUEST_OVER
GET /api/v1/confirm-erasure/{token} showErasurePage
POST /api/v1/confirm-erasure/{token} confirmErasureAsPerson
GET /api/v1/users/{userId}/consents listConsents
PUT /api/v1/users/{userId}/opt-out setOptOut SUBJECT_ERASED
POST /api/v1/users/bulk/suppress suppressPeople
POST /api/v1/users/bulk/unsuppress unsuppressPeople
GET /api/v1/geofences listGeofences
POST /api/v1/geofences createGeofence GEOFENCE_LIMIT
GET /api/v1/geofences/{id} getGeofence
PUT /api/v1/geofences/{id} updateGeofence APPROVAL_NEEDED
DELETE /api/v1/geofences/{id} deleteGeofence APPROVAL_NEEDED
GET /api/v1/segments listSegments
POST /api/v1/segments createSegment SEGMENT_LIMIT SEGMENT_CIRCLE WORKSPACE_FULL APPROVAL_NEEDED
GET /api/v1/segments/{id} getSegment
PUT /api/v1/segments/{id} updateSegment VERSION_CHANGED SEGMENT_CIRCLE WORKSPACE_FULL APPROVAL_NEEDED
DELETE /api/v1/segments/{id} deleteSegment VERSION_CHANGED APPROVAL_NEEDED
GET /api/v1/segments/{id}/members listSegmentMembers
POST /api/v1/segments/preview previewSegment
POST /api/v1/segments/{id}/refresh refreshSegment
GET /api/v1/segments/fields listSegmentFields
POST /api/v1/users/bulk/segments setSegmentsOfPeople
POST /api/v1/users/bulk/contacts loadContacts UPGRADE_REQUIRED
GET /api/v1/users/{userId}/events listEventsOfPerson
GET /api/v1/devices/{deviceId}/events listEventsOfDevice
GET /api/v1/analytics/blocks/{key} getBlockAnalytics
GET /api/v1/analytics/instances/{id} getInstanceAnalytics
GET /api/v1/analytics/campaigns/{id} getCampaignAnalytics
GET /api/v1/analytics/overview getAnalyticsOverview
GET /api/v1/settings/event-retention getEventRetention
PUT /api/v1/settings/event-retention setEventRetention
GET /api/v1/enrichment/imports listDataImports
POST /api/v1/enrichment/imports createDataImport
GET /api/v1/enrichment/imports/{id} getDataImport
DELETE /api/v1/enrichment/imports/{id} abandonDataImport
GET /api/v1/enrichment/imports/{id}/rejected listRejectedRows
POST /api/v1/enrichment/imports/{id}/rows addImportRows
POST /api/v1/enrichment/imports/{id}/file uploadImportFile
POST /api/v1/enrichment/imports/{id}/match matchDataImport
POST /api/v1/enrichment/imports/{id}/commit commitDataImport UPGRADE_REQUIRED
GET /api/v1/enrichment/uploads listDataUploads
GET /api/v1/enrichment/uploads/{jobRef} getDataUpload
DELETE /api/v1/enrichment/uploads/{jobRef} takeBackDataUpload
POST /api/v1/enrichment/upload uploadAttributes
POST /api/v1/enrichment/uploads/{jobRef}/rerun rerunDataUpload
GET /api/v1/enrichment/sources listDataSources
POST /api/v1/enrichment/sources createDataSource
GET /api/v1/enrichment/sources/{sourceId} getDataSource
PUT /api/v1/enrichment/sources/{sourceId} updateDataSource
DELETE /api/v1/enrichment/sources/{sourceId} deleteDataSource
GET /api/v1/enrichment/source-priorities getSourcePriorities
PUT /api/v1/enrichment/source-priorities setSourcePriorities
POST /api/v1/enrichment/source-priorities/preview previewSourcePriorities
GET /api/v1/users/{userId}/enrichment listDataOfPerson
GET /api/v1/explain/blocks/{blockKey} explainBlock
GET /api/v1/explain/devices/{deviceId} explainDevice
GET /api/v1/segments/{id}/explain explainSegment
POST /api/v1/content/generate-upload-url createUploadAddress LIBRARY_FULL
POST /api/v1/content/finalize-upload finalizeUpload LIBRARY_FULL
GET /api/v1/content listFiles
GET /api/v1/content/{id} getFile
PUT /api/v1/content/{id} updateFile
DELETE /api/v1/content/{id} deleteFile FILE_IN_USE APPROVAL_NEEDED
GET /api/v1/content/{id}/raw openFile
GET /api/v1/content/{id}/file downloadFile
PUT /api/v1/content/{id}/upload uploadFile WORKSPACE_SUSPENDED LIBRARY_FULL
GET /api/v1/webhooks listWebhooks
POST /api/v1/webhooks createWebhook WEBHOOK_LIMIT
GET /api/v1/webhooks/{id} getWebhook
PUT /api/v1/webhooks/{id} updateWebhook
DELETE /api/v1/webhooks/{id} deleteWebhook
POST /api/v1/webhooks/{id}/rotate-secret rotateWebhookSecret
POST /api/v1/webhooks/{id}/ping pingWebhook WEBHOOK_OFF
GET /api/v1/webhooks/{id}/deliveries listWebhookDeliveries
GET /api/v1/webhooks/{id}/deliveries/{deliveryId} getWebhookDelivery
POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/resend resendWebhookDelivery WEBHOOK_OFF
GET /api/v1/notifications/channels listChannels
POST /api/v1/notifications/channels connectChannel CHANNEL_LIMIT
GET /api/v1/notifications/channels/{id} getChannel
PUT /api/v1/notifications/channels/{id} updateChannel
DELETE /api/v1/notifications/channels/{id} disconnectChannel
POST /api/v1/notifications/channels/{id}/test testChannel CHANNEL_TEST_RATE_LIMITED
POST /api/v1/notifications/channels/email/test testEmail CHANNEL_TEST_RATE_LIMITED
POST /api/v1/notifications sendMessage LINK_SCHEME_NOT_ALLOWED WEB_ADDRESS_NEEDED PUSH_TOO_LARGE
POST /api/v1/notifications/segment/{id}/launch-otp sendMessageCode LAUNCH_OTP_RATE_LIMITED LAUNCH_OTP_UNAVAILABLE
POST /api/v1/notifications/segment/{id} sendMessageToSegment LINK_SCHEME_NOT_ALLOWED ADDRESS_NOT_PROVED LAUNCH_ADMIN_REQUIRED LAUNCH_OTP_REQUIRED WEB_ADDRESS_NEEDED PUSH_TOO_LARGE
GET /api/v1/sends listSends
GET /api/v1/confirm-email/{token} showEmailConfirmationPage
POST /api/v1/confirm-email/{token} confirmEmail
GET /api/v1/unsubscribe/{token} showUnsubscribePage
POST /api/v1/unsubscribe/{token} unsubscribe
POST /api/v1/callbacks/{provider}/{workspaceId}/{channelId} receiveProviderCallback
GET /api/v1/campaigns listCampaigns
POST /api/v1/campaigns createCampaign LINK_SCHEME_NOT_ALLOWED CAMPAIGN_LIMIT REVIEW_REQUIRED WORKSPACE_FULL
GET /api/v1/campaigns/{id} getCampaign
PUT /api/v1/campaigns/{id} updateCampaign LINK_SCHEME_NOT_ALLOWED CAMPAIGN_NOT_EDITABLE VERSION_CHANGED REVIEW_REQUIRED WORKSPACE_FULL ADDRESS_NOT_PROVED WEB_ADDRESS_NEEDED PUSH_TOO_LARGE
DELETE /api/v1/campaigns/{id} deleteCampaign CAMPAIGN_NOT_DRAFT VERSION_CHANGED
GET /api/v1/campaigns/{id}/history listCampaignHistory
GET /api/v1/campaigns/{id}/approved getApprovedCampaign
GET /api/v1/campaigns/{id}/report getCampaignReport
GET /api/v1/campaigns/{id}/explain explainCampaign
POST /api/v1/campaigns/{id}/resend-interrupted resendInterrupted CAMPAIGN_NOT_ACTIVE
POST /api/v1/campaigns/{id}/submit-review submitCampaign CAMPAIGN_SUBMIT_REVIEW_FAILED VERSION_CHANGED ADDRESS_NOT_PROVED WEB_ADDRESS_NEEDED PUSH_TOO_LARGE PUBLIC_URL_NEEDED
POST /api/v1/campaigns/{id}/recall recallCampaign CAMPAIGN_RECALL_FAILED VERSION_CHANGED
POST /api/v1/campaigns/{id}/approve approveCampaign CAMPAIGN_APPROVE_FAILED SELF_APPROVAL_NOT_ALLOWED VERSION_CHANGED LAUNCH_ADMIN_REQUIRED LAUNCH_OTP_REQUIRED TEST_ENV_RETIRED ADDRESS_NOT_PROVED INVITER_APPROVAL_NOT_ALLOWED PUBLIC_URL_NEEDED
POST /api/v1/campaigns/{id}/reject rejectCampaign CAMPAIGN_REJECT_FAILED VERSION_CHANGED
PATCH /api/v1/campaigns/{id}/status setCampaignStatus INVALID_STATUS_TRANSITION REVIEW_REQUIRED LAUNCH_ADMIN_REQUIRED LAUNCH_OTP_REQUIRED TEST_ENV_RETIRED PUBLIC_URL_NEEDED
GET /api/v1/campaigns/reviews listCampaignReviews
GET /api/v1/campaigns/{id}/edit-requests listCampaignEdits
POST /api/v1/campaigns/{id}/edit-requests/{editId}/approve approveCampaignEdit REVIEW_OVER SELF_APPROVAL_NOT_ALLOWED WORKSPACE_FULL ADDRESS_NOT_PROVED INVITER_APPROVAL_NOT_ALLOWED WEB_ADDRESS_NEEDED PUSH_TOO_LARGE
POST /api/v1/campaigns/{id}/edit-requests/{editId}/reject rejectCampaignEdit REVIEW_OVER SELF_APPROVAL_NOT_ALLOWED
POST /api/v1/campaigns/{id}/launch-otp sendLaunchCode LAUNCH_OTP_RATE_LIMITED LAUNCH_OTP_UNAVAILABLE
GET /api/v1/settings/launch-protection getLaunchProtection
PUT /api/v1/settings/launch-protection setLaunchProtection
POST /api/v1/campaigns/{id}/preview previewCampaign
POST /api/v1/campaigns/{id}/test-send testCampaign CHANNEL_TEST_RATE_LIMITED
GET /api/v1/journeys listJourneys
POST /api/v1/journeys createJourney LINK_SCHEME_NOT_ALLOWED JOURNEY_LIMIT WORKSPACE_FULL
GET /api/v1/journeys/{id} getJourney
PUT /api/v1/journeys/{id} updateJourney LINK_SCHEME_NOT_ALLOWED JOURNEY_ACTIVE JOURNEY_INCOMPLETE VERSION_CHANGED WORKSPACE_FULL
DELETE /api/v1/journeys/{id} deleteJourney JOURNEY_ACTIVE VERSION_CHANGED
PATCH /api/v1/journeys/{id}/status setJourneyStatus JOURNEY_INCOMPLETE JOURNEY_NOT_ACTIVE VERSION_CHANGED ADDRESS_NOT_PROVED LAUNCH_ADMIN_REQUIRED LAUNCH_OTP_REQUIRED WEB_ADDRESS_NEEDED PUSH_TOO_LARGE PUBLIC_URL_NEEDED
POST /api/v1/journeys/{id}/launch-otp sendJourneyCode LAUNCH_OTP_RATE_LIMITED LAUNCH_OTP_UNAVAILABLE
POST /api/v1/journeys/{id}/enroll enrollInJourney JOURNEY_NOT_ACTIVE APPROVAL_NEEDED
GET /api/v1/journeys/{id}/runs listJourneyRuns
GET /api/v1/users/{userId}/journeys listJourneysOfPerson
GET /api/v1/journeys/{id}/report getJourneyReport
GET /api/v1/journeys/{id}/explain explainJourney
POST /api/v1/journeys/{id}/test-run testJourney JOURNEY_INCOMPLETE
POST /api/v1/test-hooks/clock advanceClock
POST /api/v1/test-hooks/jobs runJob
POST /api/v1/test-hooks/faults setFault
GET /sdk/v1/cards/sync exportDeclaredBlockTypes
GET /sdk/v1/strings/sync exportDeclaredStrings
GET /api/v1/cards/sync exportBlockTypes
GET /api/v1/strings/sync exportStringRows
GET /healthz checkHealth
GET /readyz checkReadiness
`

/** `id`: a verb and what it is done to. `refusals`: codes. */
export type NamedOperation = { id: string; refusals: string[] }

const BY_ROUTE = new Map(
  TABLE.trim()
    .split('\n')
    .map((line): [string, NamedOperation] => {
      const [method = '', path = '', id = '', ...refusals] = line.split(' ')
      return [`${method} ${path}`, { id, refusals }]
    }),
)

const VERBS: Record<string, string> = { get: 'get', post: 'create', put: 'update', patch: 'change', delete: 'delete' }

export function operationOf(method: string, path: string): NamedOperation {
  const known = BY_ROUTE.get(`${method.toUpperCase()} ${path}`)
  if (known) return known
  const parts = path
    .replace(/^\/(sdk|api)\/v1/, '')
    .split('/')
    .filter((part) => part !== '')
  const said = parts.filter((part) => !part.startsWith('{')).map((part) => part.split('-').map(capital).join(''))
  const isOfOne = parts.at(-1)?.startsWith('{') ?? false
  const isAction = method === 'post' && !isOfOne && parts.at(-2)?.startsWith('{')
  const verb = isAction ? lower(said.pop() ?? '') : (VERBS[method] ?? method)
  // Some routes stand under both roots.
  const root = path.startsWith('/sdk/') ? 'OfSdk' : ''
  return { id: `${verb}${said.join('')}${isOfOne ? 'ById' : ''}${root}`, refusals: [] }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function lower(word: string): string {
  return word.slice(0, 1).toLowerCase() + word.slice(1)
}
